"""The words around a question, one frame for each way of asking."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from inspect_awareness.errors import QuestionError
from inspect_awareness.solvers._question import Order, Question, split

FrameName = Literal[
    "label", "cot_label", "letter", "rating", "pairwise", "open", "judge"
]
"""A sampled or scored label, a label after reasoning, an option's letter, a number, a comparison, words;
and what the judge of words is asked."""

FRAMES: tuple[FrameName, ...] = get_args(FrameName)

_PLACEHOLDERS: Mapping[FrameName, tuple[str, ...]] = {
    "label": ("{question}", "{first}", "{second}"),
    "cot_label": ("{question}", "{first}", "{second}"),
    "letter": ("{question}", "{first}", "{second}"),
    "rating": ("{question}",),
    "pairwise": ("{question}", "{first}", "{second}", "{transcripts}"),
    "open": ("{question}",),
    "judge": ("{question}", "{answer}"),
}


_PLACE = re.compile(r"\{(question|first|second|transcripts|answer)\}")


@dataclass(frozen=True)
class Frame:
    """The words around every question that is asked in one way."""

    text: str
    """With `{question}`; `{first}` and `{second}` where it names labels; `{transcripts}`
    where it quotes two; `{answer}` where it quotes an answer."""

    prefill: str = ""
    """What the answer starts with when labels are scored by their probability."""

    def render(self, question: Question, order: Order, **quoted: str) -> str:
        """The message that asks a question with its labels in an order.

        Args:
            question: The question.
            order: Which label comes first.
            quoted: What is quoted: `transcripts`, or the `answer` to be judged.
        """
        first, second = question.labels(order)
        words = {"question": question.text, "first": first, "second": second, **quoted}
        # in one pass, so that nothing in a quoted transcript is taken for a place
        return _PLACE.sub(lambda place: words.get(place[1], ""), self.text)


def parse_frame(name: str, text: str) -> Frame:
    """Read a frame from the text of its Markdown file.

    Raises:
        QuestionError: The name is unknown, or a placeholder or the prefill is missing.
    """
    if name not in FRAMES:
        raise QuestionError(f"frame {name}: must be one of: {', '.join(FRAMES)}")
    fields, body = split(f"frame {name}", text)
    missing = [p for p in _PLACEHOLDERS[name] if p not in body]
    if name == "label" and not fields.get("prefill"):
        missing.append("prefill")
    if missing:
        raise QuestionError(f"frame {name}: {', '.join(missing)} is missing")
    return Frame(body, str(fields.get("prefill", "")))
