"""Our errors from Inspect's components, as the one kind that Inspect prints as a line.

Inspect's command line prints a ``PrerequisiteError`` without a traceback, and every
other error with one. Our errors are what a user can put right (an argument, a file, another
model), so where a task, solver or scorer is made or used they become both: what they
were, and a prerequisite. `errors` itself stays free of Inspect, which takes a second to
import.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import iscoroutinefunction, signature
from typing import Any, ParamSpec, TypeVar, cast

# Private, and without a public equivalent: it is the one error that Inspect prints
# as a line. `tests/test_prerequisites.py` notices when it moves.
from inspect_ai._util.error import PrerequisiteError
from rich.markup import escape

from inspect_awareness.errors import AwarenessError, InputError

P = ParamSpec("P")
R = TypeVar("R")


def checked(component: Callable[P, R]) -> Callable[P, R]:
    """The factory of a component, whose errors Inspect prints as a line.

    Goes below Inspect's own decorator. An argument that is missing or unknown is an
    `InputError` too, where Python would raise a `TypeError` with a traceback.
    """

    @wraps(component)
    def make(*args: P.args, **kwargs: P.kwargs) -> R:
        with prerequisites():
            _check_arguments(component, args, kwargs)
            made = component(*args, **kwargs)
        return cast("R", _in_use(made)) if iscoroutinefunction(made) else made

    return make


def _in_use(made: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """A solver or scorer, whose errors are prerequisites when it runs too."""

    @wraps(made)
    async def use(*args: Any, **kwargs: Any) -> Any:
        with prerequisites():
            return await made(*args, **kwargs)

    return use


@contextmanager
def prerequisites() -> Iterator[None]:
    """Our errors, raised within, are prerequisites of Inspect's as well."""
    try:
        yield
    except PrerequisiteError:
        raise
    except AwarenessError as ex:
        raise _prerequisite(ex).with_traceback(ex.__traceback__) from ex.__cause__


def _prerequisite(error: AwarenessError) -> AwarenessError:
    """The same error of a class that is Inspect's too; its message may hold no markup."""
    kind = _both(type(error))
    made = kind.__new__(kind)
    made.args = error.args
    made.__dict__.update(error.__dict__, message=escape(str(error)))
    return made


def _both(kind: type[AwarenessError]) -> type[AwarenessError]:
    """A class of our tree that is a prerequisite, under its own name."""
    names = {"__module__": kind.__module__, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind, PrerequisiteError), names)


def _check_arguments(
    component: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Refuse arguments that are missing or unknown."""
    wanted = signature(component)
    try:
        wanted.bind(*args, **kwargs)
    except TypeError as ex:
        names = ", ".join(
            f"{name} (required)" if each.default is each.empty else name
            for name, each in wanted.parameters.items()
            if each.kind is not each.VAR_KEYWORD
        )
        name = getattr(component, "__name__", "component")
        raise InputError(
            f"{name}: {ex}; its arguments: {names}. Give each as name=value, with -T "
            "for a task and -S for a solver or scorer"
        ) from ex
