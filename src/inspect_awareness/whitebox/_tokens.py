"""Text to tokens: untrusted text never becomes a control token, labels join exactly."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from inspect_awareness.errors import ModelError

Tokens = tuple[int, ...]
Placed = tuple[int, int, int]  # id, and where its characters begin and end


@dataclass(frozen=True)
class LabelTokens:
    """One label after its context, tokenised together.

    Args:
        tokens: Context and label.
        start: Index of the first scored token; the same for all labels of a request.
    """

    tokens: Tokens
    start: int


class TextEncoder:
    """Encodes marked text (see ``_render``) with one tokenizer.

    The text is cut before every control token, and each piece is encoded once per
    ``memo``: a long transcript that many questions share is tokenised once. Cutting
    there changes nothing, since tokenizers encode the text between control tokens
    piece by piece; tokens for which a trial says otherwise are not cut at.

    Args:
        tokenizer: A fast ``transformers`` tokenizer.
        control: Its control strings, with their ids.
    """

    def __init__(self, tokenizer: Any, control: dict[str, int]) -> None:
        self._backend = tokenizer.backend_tokenizer
        self._structural = frozenset(control.values()) - _unknown_ids(tokenizer)
        self._control = _pattern(list(control))
        self._cuts = _pattern([text for text in control if self._cuttable(text)])

    def encode(self, text: str, mark: str, memo: dict[str, Tokens]) -> Tokens:
        """Token ids of marked text, without the marks.

        Args:
            text: Rendered conversation, prefill and label.
            mark: The quotation mark.
            memo: Pieces that were encoded before; filled in place.
        """
        return self._join(self._cut(text), mark, memo)

    def placed(
        self, text: str, mark: str
    ) -> tuple[Tokens, tuple[tuple[int, int], ...]]:
        """Token ids of marked text, each with the part of the text that it holds.

        Args:
            text: Rendered conversation.
            mark: The quotation mark.

        Returns:
            The ids, as ``encode`` gives them, and for each where its characters begin
            and end in ``text``.
        """
        ids: list[int] = []
        places: list[tuple[int, int]] = []
        begin = 0
        for piece in self._cut(text):
            for index, start, end in self._encode_piece(piece, mark):
                ids.append(index)
                places.append((begin + start, begin + end))
            begin += len(piece)
        return tuple(ids), tuple(places)

    def label_tokens(
        self, text: str, labels: tuple[str, ...], mark: str, memo: dict[str, Tokens]
    ) -> tuple[Tokens, tuple[LabelTokens, ...]]:
        """Labels tokenised together with the text before them.

        Where a label merges with the end of the text, the label's tokens begin
        earlier than the text ends. So that the labels of a request stay comparable,
        all of them are scored from the first token in which *any* of them differs
        from the text on its own: same context tokens, then the rest of the text
        with the label.

        Args:
            text: Rendered conversation and prefill, marked.
            labels: The labels, marked.
            mark: The quotation mark.
            memo: As in ``encode``.

        Returns:
            The tokens of the text on its own, and the labels in their order.
        """
        *before, last = self._cut(text)
        head = self._join(before, mark, memo)
        alone, *joint = (
            head + self._join([last + label], mark, memo) for label in ("", *labels)
        )
        start = min(common(alone, tokens) for tokens in joint)
        return alone, tuple(LabelTokens(tokens, start) for tokens in joint)

    def count(self, text: str) -> int:
        """Tokens of a text on its own."""
        return len(self._ids(text))

    def _cut(self, text: str) -> list[str]:
        """The text in pieces that begin with a control token; the first need not."""
        starts = [match.start() for match in self._cuts.finditer(text)]
        return [text[a:b] for a, b in pairwise([0, *starts, len(text)])]

    def _join(self, pieces: list[str], mark: str, memo: dict[str, Tokens]) -> Tokens:
        """The tokens of all pieces, one after the other."""
        ids: list[int] = []
        for piece in pieces:
            found = memo.get(piece)
            if found is None:
                encoded = self._encode_piece(piece, mark)
                found = memo[piece] = tuple(index for index, _, _ in encoded)
            ids.extend(found)
        return tuple(ids)

    def _encode_piece(self, piece: str, mark: str) -> list[Placed]:
        """One piece, with the tokens of the marks left out."""
        encoding = self._backend.encode(piece, add_special_tokens=False)
        placed: list[Placed] = [
            (index, *place)
            for index, place in zip(encoding.ids, encoding.offsets, strict=True)
        ]
        if mark in piece:
            kept = _without_marks(placed, piece, mark)
            # where a token reaches over a mark, encode around the marks
            placed = self._encode_around(piece, mark) if kept is None else kept
        expected = len(self._control.findall(piece))
        if sum(index in self._structural for index, _, _ in placed) > expected:
            raise ModelError(
                "a message holds text that this model's tokenizer turns into a "
                "control token, so the transcript cannot be shown to it safely"
            )
        return placed

    def _encode_around(self, piece: str, mark: str) -> list[Placed]:
        """What stands between the marks, part by part."""
        placed: list[Placed] = []
        begin = 0
        for part in piece.split(mark):
            if part:
                encoded = self._encode_piece(part, mark)
                placed += [(i, begin + start, begin + end) for i, start, end in encoded]
            begin += len(part) + len(mark)
        return placed

    def _cuttable(self, token: str) -> bool:
        """Encoding on both sides of a control token equals encoding the whole."""
        left, right = f"{token} a\n ", f"{token}b c{token}"
        parts = [left, f"{token}b c", token]
        cut = [i for part in parts for i in self._ids(part)]
        return cut == self._ids(left + right)

    def _ids(self, text: str) -> list[int]:
        """Token ids of a text in which control strings are control tokens."""
        return list(self._backend.encode(text, add_special_tokens=False).ids)


def control_tokens(tokenizer: Any, template: str | None) -> dict[str, int]:
    """The added tokens that structure a conversation.

    All special tokens, and those that the chat template writes; not white space,
    which some tokenizers add for indentation.
    """
    return {
        token.content: index
        for index, token in tokenizer.added_tokens_decoder.items()
        if (token.special or (template is not None and token.content in template))
        and len(token.content) > 1
        and not token.content.isspace()
    }


def _unknown_ids(tokenizer: Any) -> set[int | None]:
    """The id of text that a vocabulary lacks, where it structures nothing else."""
    ends = {tokenizer.bos_token_id, tokenizer.eos_token_id}
    return {tokenizer.unk_token_id} - ends


def _without_marks(placed: list[Placed], piece: str, mark: str) -> list[Placed] | None:
    """The tokens outside the marks, or None if a token holds a mark and more."""
    kept: list[Placed] = []
    for index, start, end in placed:
        held = piece[start:end]
        if mark not in held:
            kept.append((index, start, end))
        elif held != mark:
            return None
    return kept


def common(a: Tokens, b: Tokens) -> int:
    """Length of the longest common prefix, found by halving: slices compare fast."""
    low, high = 0, min(len(a), len(b))
    if a[:high] == b[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _pattern(strings: list[str]) -> re.Pattern[str]:
    """Any of the strings, the longest first; nothing where there are none."""
    ordered = sorted(strings, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered)) or r"(?!)")
