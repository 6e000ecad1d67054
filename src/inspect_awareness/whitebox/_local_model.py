"""A loaded causal language model: tokens in, log-probabilities out."""

import inspect
import threading
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import torch
import transformers
from anyio import CapacityLimiter
from anyio.lowlevel import RunVar

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._identity import ModelIdentity
from inspect_awareness.whitebox._render import Style
from inspect_awareness.whitebox._revision import revision
from inspect_awareness.whitebox._source import Source
from inspect_awareness.whitebox._tokens import TextEncoder, control_tokens

# Some templates print the date; a score must not depend on the day.
_TEMPLATE_DATE = "26 Jul 2024"

_UNLIMITED = 10**9  # tokenizers say 1e30 where they know no limit


class Abandoned(Exception):
    """Nobody waits for the result any more."""


class LocalModel:
    """Weights and tokenizer of one model, on one device.

    Args:
        model: A ``transformers`` causal language model.
        tokenizer: Its fast tokenizer.
        source: Where both were read; None for a model that was made in memory.
    """

    def __init__(
        self, model: Any, tokenizer: Any, source: Source | None = None
    ) -> None:
        self.model = model.eval()
        self.source = source
        self.tokenizer = tokenizer
        self.device = model.device
        self.dtype = model.dtype
        self.lock = threading.Lock()
        self.cancelled = threading.Event()  # `_queue` puts each call's own here
        self.queue: RunVar[CapacityLimiter] = RunVar("whitebox queue")
        template = tokenizer.get_chat_template() if tokenizer.chat_template else None
        control = control_tokens(tokenizer, template)
        self.encoder = TextEncoder(tokenizer, control)
        self.style = Style(
            template=partial(_chat_text, tokenizer) if template else None,
            control=tuple(control),
            bos=_bos(tokenizer),
        )
        parameters = inspect.signature(type(model).forward).parameters
        self.cache_name = "cache" if "cache" in parameters else "past_key_values"
        self._keeps = "logits_to_keep" in parameters
        self.packs: bool | None = None  # found out at first use, by a trial

    @property
    def config(self) -> Any:
        """The configuration of the text model."""
        return self.model.config.get_text_config()

    @cached_property
    def identity(self) -> ModelIdentity:
        """Name and revision, layers and width; reads the weights' files once.

        Raises:
            ModelError: The model was made in memory, so nothing says which it is.
        """
        if self.source is None:
            raise ModelError(
                "a model that was made in memory has no revision: save it with its "
                "tokenizer, and load the folder"
            )
        return ModelIdentity(
            name=self.source.short_name,
            revision=revision(self.source),
            layers=int(self.config.num_hidden_layers),
            width=int(self.config.hidden_size),
        )

    @property
    def max_context(self) -> int | None:
        """Most tokens that model and tokenizer allow; None where neither says."""
        limits = [
            getattr(self.config, "max_position_embeddings", None),
            self.tokenizer.model_max_length,
        ]
        known = [int(n) for n in limits if n is not None and 0 < n < _UNLIMITED]
        return min(known, default=None)

    @property
    def default_batch_tokens(self) -> int:
        """Branch tokens in one pass: what fits a CPU's caches, or fills a GPU."""
        return 1_024 if self.device.type == "cpu" else 8_192

    @property
    def stop_ids(self) -> frozenset[int]:
        """Tokens that end a reply: end of sequence, and the start of another one."""
        config = self.model.generation_config
        ends = config.eos_token_id if config is not None else None
        listed = ends if isinstance(ends, list) else [ends]
        tokenizer = self.tokenizer
        listed = [*listed, tokenizer.eos_token_id, tokenizer.bos_token_id]
        return frozenset(index for index in listed if index is not None)

    def new_cache(self) -> Any:
        """An empty cache of keys and values, with the layers that the model wants."""
        return transformers.DynamicCache(config=self.config)

    def decode(self, tokens: Sequence[int]) -> str:
        """The characters of token ids, without control tokens."""
        return str(
            self.tokenizer.decode(
                list(tokens),
                skip_special_tokens=True,
                clean_up_tokenization_spaces=False,
            )
        )

    def token_text(self, token: int) -> str:
        """The characters of one token, a control token included."""
        return str(self.tokenizer.decode([token], clean_up_tokenization_spaces=False))

    def forward(
        self,
        tokens: Sequence[int],
        *,
        keep: Sequence[int],
        cache: Any = None,
        tree: tuple[Any, Any] | None = None,
    ) -> Any:
        """Run one sequence.

        Args:
            tokens: Token ids.
            keep: Indices of the tokens after which logits are wanted.
            cache: Keys and values of what comes before; extended in place.
            tree: Positions ``(1, tokens)`` and additive attention mask
                ``(1, 1, tokens, cached + tokens)`` where the tokens are a tree.

        Returns:
            Logits of the next token after each kept one, shape
            ``(kept, vocabulary)``, on the model's device.

        Raises:
            Abandoned: The call was cancelled.
        """
        if self.cancelled.is_set():
            raise Abandoned
        ids = torch.tensor([list(tokens)], device=self.device)
        wanted = torch.tensor(list(keep), device=self.device)
        options: dict[str, Any] = {"use_cache": cache is not None}
        if cache is not None:
            options[self.cache_name] = cache
        if tree is not None:
            options["position_ids"], options["attention_mask"] = tree
        if self._keeps:
            options["logits_to_keep"] = wanted
        logits = self.model(input_ids=ids, **options).logits[0]
        return logits if self._keeps else logits[wanted]


def log_normalizers(logits: Any) -> Any:
    """``log sum exp`` over the vocabulary, to subtract from logits.

    ``sum`` adds in pairs and stays within 2e-7 nats in float32; ``log_softmax`` adds
    in a row, and is off by up to 3e-5 nats over 50,000 words.

    Args:
        logits: Shape ``(rows, vocabulary)``.

    Returns:
        Shape ``(rows,)``, float64, on the CPU.
    """
    values = logits if logits.dtype == torch.float64 else logits.float()
    top = values.amax(dim=-1, keepdim=True)
    total = (values - top).exp_().sum(dim=-1)
    return top[:, 0].cpu().double() + total.cpu().double().log()


def _chat_text(tokenizer: Any, chat: list[dict[str, str]], *, thinking: bool) -> str:
    """What the tokenizer's chat template writes, up to the assistant's reply."""
    switch = {} if thinking else {"enable_thinking": False}
    return str(
        tokenizer.apply_chat_template(
            chat,
            tokenize=False,
            add_generation_prompt=True,
            date_string=_TEMPLATE_DATE,
            **switch,
        )
    )


def _bos(tokenizer: Any) -> str:
    """The beginning-of-sequence string, if the tokenizer puts one first."""
    first = tokenizer.backend_tokenizer.encode("", add_special_tokens=True).ids[:1]
    return str(tokenizer.bos_token) if first == [tokenizer.bos_token_id] else ""
