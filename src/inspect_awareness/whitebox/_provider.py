"""The model API behind ``whitebox/...``: replies for Inspect, labels for scorers."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._labels import LabelLogprobs, LabelRequest
from inspect_awareness.whitebox._prerequisites import UnusableModelError
from inspect_awareness.whitebox._source import MAX_TOKENS, check_hub, settings, source

if TYPE_CHECKING:
    from inspect_awareness.whitebox._local_model import LocalModel


class WhiteboxAPI(ModelAPI):
    """A causal language model in this process, as an Inspect model provider.

    The name is checked at once; the weights are loaded at first use, so that scoring
    a log that merely names the model costs nothing. Replies are reproducible: with
    ``seed`` unset the n-th reply to a prompt draws from the seed ``(0, n)``, so that
    epochs differ and runs do not. ``temperature`` unset is 1, ``max_tokens`` 2,048.
    Log-probabilities are the model's own, before temperature, ``top_p`` and
    ``top_k``. A model without a chat template also stops at the next ``user:``,
    ``system:`` or ``tool:`` line. Tools are not offered.

    Args:
        model_name: Packaged model, folder, GGUF file or hub id.
        base_url: Not used.
        api_key: Not used.
        config: Not used; each call brings its own.
        model_args: ``dtype``, ``device``, ``device_map`` and ``batch_tokens``.

    Raises:
        UnusableModelError: The model or an argument cannot be used.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        try:
            self._settings = settings(model_args)
            self._source = check_hub(source(model_name))
        except ModelError as error:
            raise UnusableModelError(str(error)) from error
        self._model: LocalModel | None = None
        self._asked: Counter[bytes] = Counter()

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Reply to the messages, or continue the last one if it is the assistant's.

        Raises:
            ModelError: Tools are offered, or the chat template refuses the messages.
        """
        if tools and tool_choice != "none":
            raise ModelError(
                f"whitebox/{self.model_name} calls no tools, and was offered "
                f"{', '.join(tool.name for tool in tools)}. Use it for tasks without "
                f"tools, or to judge transcripts"
            )
        from inspect_awareness.whitebox._output import output
        from inspect_awareness.whitebox._queue import in_turn

        model = await self.loaded()
        return await in_turn(
            model,
            partial(
                output,
                model,
                input,
                config,
                name=self.model_name,
                asked=self._asked,
            ),
        )

    async def label_logprobs(
        self, requests: Sequence[LabelRequest]
    ) -> list[LabelLogprobs]:
        """Score the labels of every request exactly, in one batch.

        What the requests share, usually a transcript, is run once. The order of the
        requests changes no number.

        Raises:
            ModelError: A request is empty or does not fit into the model's context.
        """
        from inspect_awareness.whitebox._prompt import score_requests
        from inspect_awareness.whitebox._queue import in_turn

        if not requests:
            return []
        model = await self.loaded()
        budget = self._settings.batch_tokens or model.default_batch_tokens
        return await in_turn(
            model, partial(score_requests, model, tuple(requests), budget=budget)
        )

    async def count_text_tokens(self, text: str) -> int:
        """Tokens of a text, by the model's own tokenizer."""
        return (await self.loaded()).encoder.count(text)

    @property
    def max_context(self) -> int | None:
        """Most tokens that the model takes; None where that is not known."""
        return self._load().max_context

    def max_tokens(self) -> int | None:
        """Tokens of a reply where the task sets no limit."""
        return MAX_TOKENS

    def max_connections(self) -> int:
        """One: the model does one thing at a time, and waiting is not its work."""
        return 1

    def connection_key(self) -> str:
        """Each model has its own queue."""
        return self.model_name

    def close(self) -> None:
        """Let go of the weights, which are freed once nobody uses them."""
        self._model = None

    async def loaded(self) -> "LocalModel":
        """The model, loaded off the event loop."""
        import anyio.to_thread

        if self._model is not None:
            return self._model
        return await anyio.to_thread.run_sync(self._load)

    def _load(self) -> "LocalModel":
        """The model, shared with everybody in the process who uses the same."""
        from inspect_awareness.whitebox._loading import local_model

        model = self._model
        if model is None:
            try:
                model = self._model = local_model(self._source, self._settings)
            except ModelError as error:
                raise UnusableModelError(str(error)) from error
        return model
