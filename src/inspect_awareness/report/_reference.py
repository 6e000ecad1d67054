"""Which deployment transcripts a rater's scores may be compared with."""

from collections.abc import Iterable
from dataclasses import dataclass

from inspect_awareness.errors import IncomparableError
from inspect_awareness.measurements import implementation_fields


@dataclass(frozen=True, order=True)
class Made:
    """How scores were made: by whom, and how they were asked."""

    rater: str
    """The model that was asked."""

    implementation: str
    """How, as in `Measurements`."""

    @property
    def fields(self) -> dict[str, str]:
        """Everything that must agree before two scores may be compared."""
        return {"rater": self.rater, **implementation_fields(self.implementation)}


@dataclass(frozen=True)
class Difference:
    """A field in which two ways of making scores differ."""

    name: str
    """The field."""

    scored: str
    """Its value in the scored files."""

    reference: str
    """Its value in the reference."""

    def __str__(self) -> str:
        """The field with both values."""
        return f"{self.name}: {self.scored} (scored) / {self.reference} (reference)"


def differences(scored: Made, reference: Made) -> tuple[Difference, ...]:
    """The fields in which they differ, by name.

    Where the questions differ, the hash of their words does too and says no more.
    """
    a, b = scored.fields, reference.fields
    found = {name for name in a.keys() | b.keys() if a.get(name) != b.get(name)}
    if "questions" in found:
        found.discard("bank_hash")
    return tuple(
        Difference(name, a.get(name, "absent"), b.get(name, "absent"))
        for name in sorted(found)
    )


def nearest_differences(scored: Made, references: Iterable[Made]) -> str:
    """How the most similar reference differs, in words; empty without any."""
    candidates = [differences(scored, reference) for reference in references]
    if not candidates:
        return ""
    return "; ".join(str(d) for d in min(candidates, key=len))


def check_comparable(scored: Iterable[Made], references: Iterable[Made]) -> None:
    """Refuse a reference that no scored file can be compared with.

    Raises:
        IncomparableError: Nothing matches; the message names what differs.
    """
    made, against = sorted(scored), sorted(references)
    if not against or set(made) & set(against):
        return
    closest = min(made, key=lambda m: min(len(differences(m, r)) for r in against))
    raise IncomparableError(
        "the reference was not scored in the same way, so no number compares it with "
        f"the scored files. {nearest_differences(closest, against)}. Score the "
        "reference again with the same model and the same options"
    )
