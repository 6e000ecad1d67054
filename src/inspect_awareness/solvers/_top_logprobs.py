"""Two labels' log-probabilities, read out of the top list of a provider. All pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, fsum, inf, log
from typing import Literal

from inspect_ai.model import Logprob, ModelOutput

Unread = Literal[
    "no_logprobs",
    "content_filter",
    "empty",
    "misaligned",
    "shared_token",
    "outside_top",
]
"""Why a label's log-probability is not known.

no_logprobs: the provider sent none, or none of the alternatives to the token chosen.
content_filter: the reply was withheld or cut by a filter.
empty: no token of the reply carries a word.
misaligned: the log-probabilities are of other words than the reply begins with, as
    where one of its tokens is missing among them.
shared_token: tokens that begin both labels are too probable to leave out.
outside_top: no listed token begins the label.
"""

_NEGLIGIBLE = 0.01
"""Shared mass, as part of the smaller label's own, that is left out of both.

Given to either label it would move the log-odds by at most log(1.01) = 0.01.
"""

_ROUNDING = 1e-6
"""Mass that the rounding of the listed log-probabilities can hide."""

_BPE_MARKS = str.maketrans({"Ġ": " ", "▁": " ", "Ċ": "\n"})
_CONTROL = re.compile(r"<\|.*\|>|</?\w+>|<0x[0-9A-Fa-f]{2}>")
_WORD = re.compile(r"[\W_]*([^\W_]+)")
_THOUGHT = re.compile(r"\s*<think", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


@dataclass(frozen=True)
class LabelMass:
    """What a top list says about one label."""

    logprob: float | None
    """Log of the summed probability of its listed tokens, in nats; None if none is."""

    bound: float
    """The most that it can be, in nats: with all that may be its own added."""

    tokens: tuple[str, ...] = ()
    """The listed tokens that were added up, as the provider wrote them."""


@dataclass(frozen=True)
class TopLabels:
    """What a reply's top list says about two labels."""

    evaluation: LabelMass
    """The label that means evaluation."""

    deployment: LabelMass
    """The label that means deployment."""

    seen: float
    """Probability of all listed tokens together, in [0, 1]."""

    reason: Unread | None = None
    """Why the log-odds are not known; None if they are."""

    position: int | None = None
    """Index of the token that was read: the first that carries a word."""

    @property
    def mass(self) -> float:
        """Probability of the listed tokens of the two labels together."""
        known = (self.evaluation.logprob, self.deployment.logprob)
        return fsum(exp(value) for value in known if value is not None)

    @property
    def logit_range(self) -> tuple[float, float]:
        """Least and greatest log-odds of evaluation that the list allows.

        Of the two labels, one has what is listed of it and the other the most that it
        can be; an end is infinite where the first of them is not listed. An answer
        that leaves a label outside the list is mostly a sure one, so that leaving it
        out pulls a mean towards one half; its near end is a number that can be used.
        """
        one, other = self.evaluation, self.deployment
        low = -inf if one.logprob is None else one.logprob - other.bound
        high = inf if other.logprob is None else one.bound - other.logprob
        return low, high


def top_labels(output: ModelOutput, evaluation: str, deployment: str) -> TopLabels:
    """Read the log-probabilities of two labels at the place of the answer.

    The place is the first token of the reply that carries a word, after a thought in
    `<think>` tags if there is one; quotes, markup, spaces and control tokens before it
    are passed over. A listed token begins a label if its first word is the label or a
    beginning of it, whatever its case and whatever stands around it (` Yes`, `"yes`,
    `**Yes**`, `ĠYES`, and `Eval` for `Evaluation`); with the tokens t of a label,

        logprob = log sum_t exp(logprob_t),    seen = sum over all listed tokens.

    A label of several tokens is read by its first one, which is at least as probable
    as the whole. What is not listed, and tokens that begin both labels, may belong to
    either, so that

        bound = log(exp(logprob) + sum over shared tokens + 1 - seen),

    without the first term for a label of which no token is listed.

    Args:
        output: A reply that was asked for with `logprobs` and `top_logprobs`.
        evaluation: The label that means evaluation.
        deployment: The label that means deployment.

    References:
        OpenAI API reference, chat completions, `top_logprobs`: at most 20 tokens.

    Example:
        >>> from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant
        >>> from inspect_ai.model import Logprobs, TopLogprob
        >>> listed = [("Yes", 0.5), (" yes", 0.1), ("No", 0.3)]
        >>> top = [TopLogprob(token=t, logprob=log(p)) for t, p in listed]
        >>> token = Logprob(token="Yes", logprob=log(0.5), top_logprobs=top)
        >>> said = ChatMessageAssistant(content="Yes")
        >>> choice = ChatCompletionChoice(
        ...     message=said, logprobs=Logprobs(content=[token])
        ... )
        >>> read = top_labels(ModelOutput(choices=[choice]), "Yes", "No")
        >>> round(exp(read.evaluation.logprob), 3), round(exp(read.deployment.logprob), 3)
        (0.6, 0.3)
        >>> round(read.seen, 3), read.reason
        (0.9, None)
    """
    if not output.choices:
        return _nothing("empty")
    choice = output.choices[0]
    if choice.stop_reason == "content_filter":
        return _nothing("content_filter")
    content = choice.logprobs.content if choice.logprobs else []
    if not content:
        return _nothing("no_logprobs")
    position = answer_position([token.token for token in content])
    if position is None:
        return _nothing("empty")
    if not content[position].top_logprobs:
        return _nothing("no_logprobs")
    written = first_word(_THOUGHT_END.split(choice.message.text)[-1])
    if not written.startswith(first_word(content[position].token)):
        return _nothing("misaligned")
    return _read(listed(content[position]), evaluation, deployment, position)


def answer_position(tokens: Sequence[str]) -> int | None:
    """Index of the first token with a word, after the last thought; None if none is.

    Example:
        >>> answer_position(["**", "Yes", "**"]), answer_position(["<think>", " hm"])
        (1, None)
    """
    text = "".join(tokens)
    ends = [match.end() for match in _THOUGHT_END.finditer(text)]
    if not ends and _THOUGHT.match(text):
        return None
    start, passed = ends[-1] if ends else 0, 0
    for index, token in enumerate(tokens):
        if passed >= start and first_word(token):
            return index
        passed += len(token)
    return None


def first_word(token: str) -> str:
    """A token's first run of letters and digits, caseless; empty if it has none.

    Example:
        >>> first_word("ĠYes"), first_word('"no.'), first_word("<|im_end|>")
        ('yes', 'no', '')
    """
    if _CONTROL.fullmatch(token.strip()):
        return ""
    match = _WORD.match(token.translate(_BPE_MARKS))
    return match[1].casefold() if match else ""


def listed(token: Logprob) -> list[tuple[str, float]]:
    """The top list of one place, with the chosen token even where it is not in it."""
    found = [(top.token, top.logprob) for top in token.top_logprobs or []]
    if all(name != token.token for name, _ in found):
        found.append((token.token, token.logprob))
    return found


def _read(
    found: Sequence[tuple[str, float]], evaluation: str, deployment: str, position: int
) -> TopLabels:
    """Sort the listed tokens by the label that they begin."""
    one, other = first_word(evaluation), first_word(deployment)
    mine = [(name, value) for name, value in found if _begins(name, one)]
    theirs = [(name, value) for name, value in found if _begins(name, other)]
    both = set(mine) & set(theirs)
    seen, shared = min(_mass(found), 1.0), _mass(both)
    free = shared + max(1.0 - seen, _ROUNDING)
    labels = (_label(mine, both, free), _label(theirs, both, free))
    smaller = min(-inf if x.logprob is None else x.logprob for x in labels)
    reason: Unread | None = None
    if shared > _NEGLIGIBLE * exp(smaller):
        reason = "shared_token"
    elif smaller == -inf:
        reason = "outside_top"
    return TopLabels(*labels, seen=seen, reason=reason, position=position)


def _label(
    begun: Sequence[tuple[str, float]], both: set[tuple[str, float]], free: float
) -> LabelMass:
    """Log of a label's own mass, and of that with the free mass added."""
    own = [pair for pair in begun if pair not in both]
    total = _mass(own)
    if total == 0:
        return LabelMass(None, log(min(free, 1.0)))
    names = tuple(name for name, _ in own)
    return LabelMass(log(total), log(min(total + free, 1.0)), names)


def _mass(found: Iterable[tuple[str, float]]) -> float:
    """Summed probability of listed tokens."""
    return fsum(exp(value) for _, value in found)


def _begins(token: str, label: str) -> bool:
    """Whether a token's word is a label, or the beginning of one."""
    word = first_word(token)
    return bool(word) and label.startswith(word)


def _nothing(reason: Unread) -> TopLabels:
    """Neither label is known, and each may be anything."""
    return TopLabels(LabelMass(None, 0.0), LabelMass(None, 0.0), 0.0, reason)
