"""Builders of tiny random models: real architectures, real tokenizers, no weights.

A model has 2-4 layers of width 32 over a byte-level BPE that is trained here on one
sentence, so that it has merges and encodes any text without loss. Building one takes
a few hundredths of a second; a folder is built once per test run.
"""

import functools
import os
import tempfile
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] "
    "+ '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
CONTROL = ("<|bos|>", "<|im_start|>", "<|im_end|>")
CONTEXT = 1024
WINDOW = 64
_CORPUS = ["Answer: yes, the test is real. Answer: no, the test is not real."] * 3


def byte_tokenizer(template=CHATML, *, prefix_space=False):
    """A byte-level BPE with about 60 merges (``Answer``, `` test``, ...)."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=list(CONTROL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_CORPUS, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<|bos|>",
        eos_token="<|im_end|>",
        pad_token="<|im_end|>",
        chat_template=template,
        clean_up_tokenization_spaces=False,
    )


@functools.cache
def model_folder(kind="llama", *, template=CHATML, seed=0):
    """A checkpoint folder of one kind; ``_KINDS`` lists them."""
    import torch
    import transformers

    folder = Path(_root()) / f"{kind}-{seed}-{abs(hash(template))}"
    tokenizer = byte_tokenizer(template)
    torch.manual_seed(seed)
    model = _KINDS[kind](transformers, len(tokenizer))
    # random weights say nearly the same everywhere; sharper ones show a wrong mask
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(8 if parameter.dim() > 1 else 1)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def local_model(kind="llama", *, template=CHATML, dtype=None):
    """The same model as the package loads it."""
    from inspect_awareness.whitebox._loading import local_model
    from inspect_awareness.whitebox._source import Settings, source

    folder = model_folder(kind, template=template)
    return local_model(source(str(folder)), Settings(dtype=dtype, device="cpu"))


def _shape(vocabulary):
    """What the rotary architectures have in common."""
    return {
        **_ids(vocabulary),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": CONTEXT,
    }


def _ids(vocabulary):
    """Vocabulary and control tokens, as every architecture takes them."""
    return {
        "vocab_size": vocabulary,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "pad_token_id": 2,
    }


# rotates differently once a sequence is longer than 64 tokens
_LONGROPE = {
    "rope_type": "longrope",
    "rope_theta": 10_000.0,
    "short_factor": [1.0] * 4,
    "long_factor": [4.0] * 4,
    "factor": 16.0,
    "original_max_position_embeddings": 64,
}

_KINDS = {
    "llama": lambda t, n: t.LlamaForCausalLM(t.LlamaConfig(**_shape(n))),
    "qwen2": lambda t, n: t.Qwen2ForCausalLM(t.Qwen2Config(**_shape(n))),
    "qwen3": lambda t, n: t.Qwen3ForCausalLM(t.Qwen3Config(**_shape(n), head_dim=8)),
    "olmo2": lambda t, n: t.Olmo2ForCausalLM(t.Olmo2Config(**_shape(n))),
    "gpt_neox": lambda t, n: t.GPTNeoXForCausalLM(t.GPTNeoXConfig(**_shape(n))),
    "gemma2": lambda t, n: t.Gemma2ForCausalLM(
        t.Gemma2Config(**_shape(n), head_dim=8, sliding_window=WINDOW)
    ),
    "gemma3": lambda t, n: t.Gemma3ForCausalLM(
        t.Gemma3TextConfig(**_shape(n), head_dim=8, sliding_window=WINDOW)
    ),
    "longrope": lambda t, n: t.LlamaForCausalLM(
        t.LlamaConfig(**{**_shape(n), "rope_parameters": _LONGROPE})
    ),
    "gpt2": lambda t, n: t.GPT2LMHeadModel(
        t.GPT2Config(n_embd=32, n_layer=2, n_head=4, n_positions=CONTEXT, **_ids(n))
    ),
    "mamba": lambda t, n: t.MambaForCausalLM(
        t.MambaConfig(hidden_size=32, num_hidden_layers=2, state_size=8, **_ids(n))
    ),
}


@functools.cache
def _root():
    """One folder for the whole test run, removed at its end."""
    import atexit
    import shutil

    folder = tempfile.mkdtemp(prefix="tiny-models-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def gguf_file(path, *, seed=0):
    """A Llama of 2 layers as one float32 GGUF file, with its tokenizer."""
    import gguf
    import numpy as np

    backend = byte_tokenizer().backend_tokenizer
    size = backend.get_vocab_size()
    rng = np.random.default_rng(seed)
    writer = gguf.GGUFWriter(path, "llama")
    _write_shape(writer, size)
    _write_tokenizer(writer, backend, gguf.TokenType)
    for name, shape in _tensor_shapes(size).items():
        wild = rng.normal(0, 0.2, shape)
        values = np.ones(shape) if name.endswith("norm.weight") else wild
        writer.add_tensor(name, values.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _write_shape(writer, size):
    """The architecture's numbers."""
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(32)
    writer.add_feed_forward_length(64)
    writer.add_block_count(2)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_rope_dimension_count(8)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(size)


def _write_tokenizer(writer, backend, kinds):
    """Tokens, merges and chat template, as llama.cpp stores them."""
    import json

    merges = json.loads(backend.to_str())["model"]["merges"]
    tokens = [backend.id_to_token(i) for i in range(backend.get_vocab_size())]
    control = [kinds.CONTROL if t in CONTROL else kinds.NORMAL for t in tokens]
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_types(control)
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(2)
    writer.add_chat_template(CHATML)


def _tensor_shapes(size):
    """Every weight of the model, with its shape."""
    shapes = {"token_embd.weight": (size, 32), "output_norm.weight": (32,)}
    for layer in range(2):
        for name, shape in {
            "attn_norm": (32,),
            "attn_q": (32, 32),
            "attn_k": (16, 32),
            "attn_v": (16, 32),
            "attn_output": (32, 32),
            "ffn_norm": (32,),
            "ffn_gate": (64, 32),
            "ffn_up": (64, 32),
            "ffn_down": (32, 64),
        }.items():
            shapes[f"blk.{layer}.{name}.weight"] = shape
    return shapes
