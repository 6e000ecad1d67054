"""Records that are fixed before they are used: a digest of the content, in the file."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

DIGEST = "digest"
"""The field that holds the digest, and that is no part of the content."""


def content_digest(record: Mapping[str, Any]) -> str:
    """16 hex digits of SHA-256 over everything but the digest, in any layout.

    >>> content_digest({"b": 2, "a": 1}) == content_digest({"a": 1, "b": 2})
    True
    """
    content = {name: value for name, value in record.items() if name != DIGEST}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def alteration(record: Mapping[str, Any]) -> str:
    """What shows that a record was changed after it was written; empty if nothing does.

    >>> record = {"area": 0.7}
    >>> alteration({**record, "digest": content_digest(record)})
    ''
    >>> alteration({"area": 0.6, "digest": content_digest(record)})[:30]
    'changed after it was written ('
    """
    digest, content = record.get(DIGEST), content_digest(record)
    if digest == content:
        return ""
    return f"changed after it was written (digest {digest!r}, content {content!r})"
