"""What a run will ask, and about how much that costs, before it asks anything."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from inspect_ai.model import Model

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.errors import InputError
from inspect_awareness.scorers._content_free import content_free
from inspect_awareness.solvers._asking import Asking
from inspect_awareness.solvers._forms import Form
from inspect_awareness.solvers._question import Elicitation
from inspect_awareness.solvers._words import words

_CHARACTERS_A_TOKEN = 4
"""English text in common tokenisers; an estimate, and called one."""

_ANSWER_TOKENS = 4
"""A one-word answer; a model that reasons by itself takes more."""

_SENTENCES_TOKENS = 100
"""An answer of a few sentences, as open questions and `cot_label` ask for."""


@dataclass
class Inventory:
    """Counts over transcripts."""

    transcripts: int = 0
    """How many there are."""

    characters: int = 0
    """Their length."""

    by_source: Counter[str] = field(default_factory=Counter)
    by_label: Counter[str] = field(default_factory=Counter)
    by_reasoning: Counter[str] = field(default_factory=Counter)
    by_log: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    """Samples left out, by reason."""


@dataclass(frozen=True)
class Plan:
    """What will be asked."""

    inventory: Inventory
    """The transcripts."""

    questions: int
    """Questions asked of each transcript."""

    calls: int
    """Answers asked for in all, over label orders and repeats."""

    input_tokens: int
    """About how many tokens the rater reads."""

    output_tokens: int
    """About how many tokens it writes."""


def inventory(inputs: Inputs) -> Inventory:
    """Count what the inputs hold.

    Raises:
        InputError: They hold no transcript.
    """
    found = take_inventory(inputs)
    found.skipped = inputs.skipped
    if found.transcripts == 0:
        reasons = ", ".join(f"{k}: {n}" for k, n in sorted(found.skipped.items()))
        raise InputError(
            f"{', '.join(inputs.paths)}: no transcript to ask about"
            + (f" ({reasons})" if reasons else "")
        )
    return found


def plan_run(inputs: Inputs, how: Asking, model: Model) -> Plan:
    """What a run would ask, without asking."""
    return plan(inventory(inputs), how, model)


def plan_raters(inputs: Inputs, how: Asking, raters: Sequence[Model]) -> list[Plan]:
    """What several raters would be asked about the same transcripts."""
    found = inventory(inputs)
    return [plan(found, how, rater) for rater in raters]


def take_inventory(transcripts: Iterable[Transcript]) -> Inventory:
    """Count transcripts by source, label and kind of reasoning."""
    found = Inventory()
    for transcript in transcripts:
        origin = transcript.origin
        found.transcripts += 1
        found.characters += sum(len(words(m)) for m in transcript.messages)
        found.by_source[origin.source or "unknown"] += 1
        found.by_label[origin.label] += 1
        found.by_reasoning[origin.reasoning] += 1
        if transcript.place is not None:
            found.by_log[transcript.place.log] += 1
    return found


def plan(inventory: Inventory, how: Asking, model: Model) -> Plan:
    """Estimate a run, in tokens as a provider without a prompt cache counts them.

    Every answer reads the transcript anew. A prompt cache, and a local model that
    shares the transcript between questions, do with less.
    """
    elicitation = how.resolve(model)
    scored = {
        form: elicitation == "logprob" and form.names_labels for form in how.forms()
    }
    often = {form: 1 if by_score else how.repeats for form, by_score in scored.items()}
    asked = sum(
        n * len(how.bank.frame_of(f.question, elicitation).render(f.question, f.order))
        for f, n in often.items()
    )
    # a comparison reads two transcripts
    read = sum(n * (2 if form.compares else 1) for form, n in often.items())
    written = sum(
        n * _written(form, elicitation, how.config.max_tokens)
        for form, n in often.items()
        if not scored[form]
    )
    characters = read * inventory.characters + inventory.transcripts * asked
    calls = inventory.transcripts * sum(often.values())
    if how.prior:
        # the same once for each log, about transcripts that hold nothing
        once = [f for f in how.forms() if f.question.feeds]
        empty = len(content_free()) * max(len(inventory.by_log), 1)
        calls += empty * sum(often[f] for f in once)
        characters += empty * sum(
            often[f]
            * len(
                how.bank.frame_of(f.question, elicitation).render(f.question, f.order)
            )
            for f in once
        )
    return Plan(
        inventory=inventory,
        questions=len(how.bank.questions),
        calls=calls,
        input_tokens=characters // _CHARACTERS_A_TOKEN,
        output_tokens=inventory.transcripts * written,
    )


def _written(form: Form, elicitation: Elicitation, most: int | None) -> int:
    """About how many tokens an answer takes, of those that it may."""
    thought_over = elicitation == "cot_label" and form.question.labelled
    in_words = thought_over or form.question.family == "open"
    wanted = _SENTENCES_TOKENS if in_words else _ANSWER_TOKENS
    return wanted if most is None else min(wanted, most)
