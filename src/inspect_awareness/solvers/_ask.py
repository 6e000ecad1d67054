"""Asking probe questions about a transcript, without touching it."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ChatMessageUser, Model
from inspect_ai.util import (
    message_limit,
    span,
    suspend_token_limit,
    suspend_turn_limit,
    suspend_working_limit,
)

from inspect_awareness.datasets._threads import PROBE_SPAN
from inspect_awareness.datasets._views import Trimmed, askable
from inspect_awareness.solvers._asking import Asking, Shown
from inspect_awareness.solvers._facts import facts_of
from inspect_awareness.solvers._fitting import fitting
from inspect_awareness.solvers._forms import Form, Put, Tokens
from inspect_awareness.solvers._judged import judged
from inspect_awareness.solvers._label_logprobs import by_logprob
from inspect_awareness.solvers._question import ORDERS, Elicitation
from inspect_awareness.solvers._quoted import quoted_pair
from inspect_awareness.solvers._replies import Instrument, Replies, Reply
from inspect_awareness.solvers._sampled import by_sampling
from inspect_awareness.solvers._words import digest

Messages = Sequence[ChatMessage]

_SCORED_TOKENS = 16
"""Tokens of a prefill and a label whose probability is scored."""


async def ask(what: Shown, how: Asking, model: Model) -> Replies:
    """Ask a rater every question about a transcript, each as if it were the first.

    The calls stand in one span of the sample's transcript, outside the sample's limits
    on messages, tokens, turns and working time (limits on cost and time still hold).
    What fails is recorded in its reply.

    Args:
        what: What is shown of the transcript.
        how: The questions and how they are asked.
        model: The rater.

    Raises:
        InputError: The rater cannot be asked in this way.
        QuestionError: A question may not be asked in this way.
        LimitExceededError: The sample's limit on cost or time was reached.
    """
    instrument = how.instrument(model, what.view)
    fit = await _fitted(askable(what.messages), instrument, how, model)
    puts = await _puts(fit.messages, instrument, how, model)
    async with span("awareness_probes", type=PROBE_SPAN):
        with (
            message_limit(None),
            suspend_token_limit(),
            suspend_turn_limit(),
            suspend_working_limit(),
        ):
            replies, tokens = await _replies(puts, how, model)
    controls = {q.truth for q in how.bank.questions if q.truth}
    facts = facts_of(fit.messages)
    return Replies(
        rater=str(model),
        instrument=instrument,
        replies=replies,
        whole=digest(what.messages),
        digest=digest(fit.messages),
        facts={name: facts[name] for name in sorted(controls)},
        trimmed=fit.dropped,
        input_tokens=tokens.read,
        output_tokens=tokens.written,
        cached_tokens=tokens.cached,
    )


async def _fitted(
    messages: Messages,
    instrument: Instrument,
    how: Asking,
    model: Model,
    *,
    parts: int = 1,
) -> Trimmed:
    """The messages, trimmed to a part of the rater's context if that is known."""
    longest = max(
        (
            how.bank.frame_of(f.question, instrument.elicitation).render(
                f.question, f.order
            )
            for f in how.forms()
        ),
        key=len,
    )
    written = int(instrument.config.get("max_tokens", _SCORED_TOKENS))
    return await fitting(
        messages, model, question=longest, answer_tokens=written, parts=parts
    )


async def _puts(
    messages: Messages, instrument: Instrument, how: Asking, model: Model
) -> list[Put]:
    """Every form and repeat with what the rater reads; probabilities are asked once."""
    elicitation = instrument.elicitation
    plain = [
        Put(form, (*messages, _question(form, how, elicitation)), elicitation, repeat)
        for repeat in range(how.repeats)
        for form in how.forms()
        if not form.compares
    ]
    forms = [form for form in how.forms() if form.compares]
    compared = [
        put
        for repeat in range(how.repeats if forms else 0)
        for put in await _comparisons(forms, repeat, messages, instrument, how, model)
    ]
    return [put for put in plain if not (put.scored and put.repeat)] + compared


def _question(form: Form, how: Asking, elicitation: Elicitation) -> ChatMessageUser:
    """The message that asks a form."""
    frame = how.bank.frame_of(form.question, elicitation)
    return ChatMessageUser(content=frame.render(form.question, form.order))


async def _comparisons(
    forms: Sequence[Form],
    repeat: int,
    messages: Messages,
    instrument: Instrument,
    how: Asking,
    model: Model,
) -> list[Put]:
    """The transcript and one deployment transcript, quoted in the order of each form."""
    assert how.compared is not None
    other = how.compared.other_than(messages, repeat)
    halves = [
        (await _fitted(each, instrument, how, model, parts=2)).messages
        for each in (messages, askable(other))
    ]
    against, made = digest(other), []
    for form in forms:
        pair = halves if form.order == ORDERS[0] else halves[::-1]
        frame = how.bank.frame_of(form.question, instrument.elicitation)
        words = frame.render(form.question, form.order, transcripts=quoted_pair(*pair))
        asked = (ChatMessageUser(content=words),)
        made.append(Put(form, asked, instrument.elicitation, repeat, against))
    return made


async def _replies(
    puts: Sequence[Put], how: Asking, model: Model
) -> tuple[list[Reply], Tokens]:
    """All replies in the order of the forms, and the tokens that they took."""
    scored = [put for put in puts if put.scored]
    sampled = [put for put in puts if not put.scored]
    labels, one = await by_logprob(scored, how, model)
    written, two = await by_sampling(sampled, how, model)
    written, three = await judged(written, sampled, how)
    return labels + written, one + two + three
