"""JSON objects in a judge's reply, mended where it is certain what was meant."""

import ast
import json
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(
    r"""(?P<double>"(?:[^"\\]|\\.)*")"""
    r"""|(?P<single>'(?:[^'\\]|\\.)*'(?=\s*[,:\]}]))"""
    r"""|(?P<brace>[{}])|(?P<word>\b(?:true|false|null)\b)""",
    re.DOTALL,
)
"""Strings, braces, and the words that Python writes otherwise."""

_CONSTANTS = {"true": "True", "false": "False", "null": "None"}

_LONGEST = 100_000
"""Characters of a reply; a longer one is no verdict."""


@dataclass(frozen=True)
class Objects:
    """What stands in braces in a text."""

    whole: tuple[dict[str, Any], ...]
    """The objects, outermost only, in order."""

    broken: tuple[str, ...]
    """Texts in braces that are none."""

    unclosed: bool
    """Whether a brace was opened and never closed."""


def find_objects(text: str) -> Objects:
    """The objects in a text, whatever stands around them.

    Besides JSON, Python's way of writing is read (single quotes, `True`, `None`), and
    commas before a closing bracket are let pass. A key that is given twice makes an
    object broken: nobody knows which was meant.

    Example:
        >>> find_objects("Here: {'aware': True,} so.").whole
        ({'aware': True},)
    """
    whole: list[dict[str, Any]] = []
    broken: list[str] = []
    unclosed = False
    for span, closed in _spans(text) if len(text) <= _LONGEST else ():
        found = _parsed(span) if closed else None
        unclosed |= not closed
        if found is None:
            broken.append(span)
        else:
            whole.append(found)
    return Objects(tuple(whole), tuple(broken), unclosed)


def _spans(text: str) -> Iterator[tuple[str, bool]]:
    """Each outermost text in braces, and whether it is closed."""
    position = 0
    while (start := text.find("{", position)) >= 0:
        end = _end(text, start)
        yield text[start:end], end is not None
        if end is None:
            return
        position = end


def _end(text: str, start: int) -> int | None:
    """Where the brace at a place is closed; braces in strings do not count."""
    depth = 0
    for token in _tokens(text, start):
        if token["brace"]:
            depth += 1 if token["brace"] == "{" else -1
            if depth == 0:
                return token.end()
    return None


def _tokens(text: str, position: int = 0) -> Iterator[re.Match[str]]:
    """Strings, braces and constants; an apostrophe in prose opens no string."""
    while (token := _TOKEN.search(text, position)) is not None:
        if token["single"] and not _begins_value(text, token.start()):
            position = token.start() + 1
            continue
        yield token
        position = token.end()


def _begins_value(text: str, place: int) -> bool:
    """Whether a key or value may begin at a place."""
    while place > 0 and text[place - 1].isspace():
        place -= 1
    return place > 0 and text[place - 1] in "[{,:"


def _parsed(text: str) -> dict[str, Any] | None:
    """The object, as JSON or as Python writes it; None if it is neither."""
    for read in (_json, _python):
        try:
            found = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return found if isinstance(found, dict) else None
    return None


def _json(text: str) -> Any:
    """JSON in which line breaks may stand in strings."""
    return json.loads(text, strict=False, object_pairs_hook=_once)


def _python(text: str) -> Any:
    """An object in Python's way of writing, read without running anything."""
    pieces: list[str] = []
    position = 0
    for token in _tokens(text):
        pieces.append(text[position : token.start()])
        said = _CONSTANTS.get(token[0], token[0])
        quoted = token["double"] or token["single"]
        pieces.append(said.replace("\n", "\\n") if quoted else said)
        position = token.end()
    pieces.append(text[position:])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes that Python does not know
        return _value(ast.parse("".join(pieces), mode="eval").body)


def _value(node: ast.expr) -> Any:
    """The value that an expression of constants stands for."""
    match node:
        case ast.Constant(value=str() | bool() | int() | float() | None):
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return -node.operand.value  # type: ignore[attr-defined]
        case ast.List():
            return [_value(each) for each in node.elts]
        case ast.Dict():
            keys = [_value(key) for key in node.keys if key is not None]
            values = [_value(value) for value in node.values]
            return _once(list(zip(keys, values, strict=True)))
    raise ValueError("no constant")


def _once(pairs: Sequence[tuple[Any, Any]]) -> dict[str, Any]:
    """An object whose keys are texts and are given once."""
    found = dict(pairs)
    if len(found) < len(pairs) or not all(isinstance(key, str) for key in found):
        raise ValueError("a key is given twice, or is no text")
    return found
