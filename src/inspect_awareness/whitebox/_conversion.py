"""Converts a GGUF file to a plain safetensors folder that loads in a moment."""

from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any


def convert(weights: Path, target: Path, dtype: str) -> dict[str, str]:
    """Write the weights of a GGUF file as safetensors, with their tokenizer.

    Args:
        weights: The GGUF file.
        target: The folder to write.
        dtype: Of the written weights. float32 holds what the GGUF file holds;
            bfloat16 rounds it to 8 significant bits.

    Returns:
        The versions of the packages that did it.
    """
    import torch
    import transformers
    from transformers.utils.quantization_config import GgufConfig

    from inspect_awareness.whitebox._quiet import quiet_transformers

    source: dict[str, Any] = {"gguf_file": weights.name, "local_files_only": True}
    kind = getattr(torch, dtype)
    # the bar of the GGUF reader knows no switch, and progress is told line by line
    with quiet_transformers(), redirect_stderr(StringIO()):
        tokenizer = transformers.AutoTokenizer.from_pretrained(weights.parent, **source)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            weights.parent,
            dtype=kind,
            quantization_config=GgufConfig(dequantize=True),
            **source,
        ).to(kind)
        # save_pretrained refuses a model that still says that it is quantized
        model.hf_quantizer = None
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        model.save_pretrained(target)
        tokenizer.save_pretrained(target)
    return {
        "torch_version": str(torch.__version__),
        "transformers_version": str(transformers.__version__),
    }
