"""Forms of questions, and how each is put to a rater."""

from dataclasses import dataclass

from inspect_ai.model import ChatMessage

from inspect_awareness.solvers._question import Elicitation, Order, Question
from inspect_awareness.solvers._replies import Reply


@dataclass(frozen=True)
class Tokens:
    """What calls took, as the provider counts it."""

    read: int = 0
    """Tokens read anew."""

    written: int = 0
    """Tokens written."""

    cached: int = 0
    """Tokens read from, or into, the provider's cache."""

    def __add__(self, other: "Tokens") -> "Tokens":
        """Both together."""
        return Tokens(
            self.read + other.read,
            self.written + other.written,
            self.cached + other.cached,
        )


@dataclass(frozen=True)
class Form:
    """A question with its labels, or the transcripts to compare, in one order."""

    question: Question
    """What is asked."""

    order: Order
    """In which order."""

    @property
    def names_labels(self) -> bool:
        """Whether the answer is one of two labels."""
        return self.question.labelled or self.compares

    @property
    def compares(self) -> bool:
        """Whether two transcripts are compared."""
        return self.question.family == "pairwise"


@dataclass(frozen=True)
class Put:
    """One form of a question as it is put to the rater, once."""

    form: Form
    """What is asked."""

    messages: tuple[ChatMessage, ...]
    """Everything that the rater reads, the question last."""

    elicitation: Elicitation
    """How a labelled answer is taken."""

    repeat: int = 0
    """Number of the repeat, from 0."""

    against: str | None = None
    """Hash of the deployment transcript, in a comparison."""

    @property
    def scored(self) -> bool:
        """Whether the labels' probabilities are scored, and nothing is generated."""
        return self.elicitation == "logprob" and self.form.names_labels

    def reply(self) -> Reply:
        """The reply, before anything came back."""
        return Reply(
            question=self.form.question.id,
            order=self.form.order,
            repeat=self.repeat,
            against=self.against,
        )
