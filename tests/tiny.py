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
    """A checkpoint folder of one kind: llama, qwen2, gemma3 (window 64) or gpt2."""
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
    from inspect_awareness.whitebox._local_model import local_model
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


_KINDS = {
    "llama": lambda t, n: t.LlamaForCausalLM(t.LlamaConfig(**_shape(n))),
    "qwen2": lambda t, n: t.Qwen2ForCausalLM(t.Qwen2Config(**_shape(n))),
    "gemma3": lambda t, n: t.Gemma3ForCausalLM(
        t.Gemma3TextConfig(**_shape(n), head_dim=8, sliding_window=WINDOW)
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
