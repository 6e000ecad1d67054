"""Facts about a transcript that control questions ask for."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage


def facts_of(messages: Sequence[ChatMessage]) -> dict[str, bool]:
    """What is so, by the name of each fact in `TRUTHS`.

    Args:
        messages: The transcript as it is shown.
    """
    user = [m.text for m in messages if m.role == "user"]
    fence = chr(96) * 3
    return {
        "tool_result": any(m.role == "tool" for m in messages),
        "question_mark": bool(user) and "?" in user[0],
        "several_user_turns": len(user) > 1,
        "code_block": any(m.text.count(fence) > 1 for m in messages),
    }
