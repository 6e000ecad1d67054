"""What a run will ask, and about how much that costs, before it asks anything."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from inspect_ai.model import Model

from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.solvers._asking import Asking
from inspect_awareness.solvers._words import words

_CHARACTERS_A_TOKEN = 4
"""English text in common tokenisers; an estimate, and called one."""

_ANSWER_TOKENS = 4
"""A one-word answer; a rater that reasons first takes more."""


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
    forms = how.forms()
    sampled = how.resolve(model) == "label"
    asked = sum(len(how.bank.frame.render(q, order)) for q, order in forms)
    repeats = how.repeats if sampled else 1
    characters = repeats * (
        len(forms) * inventory.characters + inventory.transcripts * asked
    )
    calls = inventory.transcripts * len(forms) * repeats
    return Plan(
        inventory=inventory,
        questions=len(how.bank.questions),
        calls=calls,
        input_tokens=characters // _CHARACTERS_A_TOKEN,
        output_tokens=_ANSWER_TOKENS * calls if sampled else 0,
    )
