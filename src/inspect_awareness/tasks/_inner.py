"""Making the task that another task is built on, from its name or its file."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from importlib.machinery import SourceFileLoader
from importlib.metadata import PackageNotFoundError, entry_points, version
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from inspect_ai import Task
from inspect_ai.util import RegistryInfo, registry_create, registry_info

from inspect_awareness.errors import InputError

_TAKEN = {"name", "type"}
"""Arguments that `registry_create` has itself."""


class _Factory(Protocol):
    """A function decorated with `@task`."""

    def __call__(self, **arguments: Any) -> Task: ...


def inner_task(spec: str, arguments: Mapping[str, Any]) -> Task:
    """The task of this name, made with these arguments.

    Args:
        spec: `package/name`, `file.py@name`, or `file.py` with one task in it.
        arguments: Arguments of the task.

    Raises:
        InputError: There is no such task, or it takes no such argument.
    """
    path, _, name = spec.partition("@")
    if path.endswith(".py"):
        return _from_file(path, name, arguments)
    return _from_registry(spec, arguments)


def provider(name: str) -> dict[str, str] | None:
    """The package that a registered task comes from, with its version."""
    package, slash, _ = name.partition("/")
    try:
        return {"name": package, "version": version(package)} if slash else None
    except PackageNotFoundError:
        return None


def _from_registry(name: str, arguments: Mapping[str, Any]) -> Task:
    """A task that is registered: of a package, or of a module imported before."""
    if taken := _TAKEN & set(arguments):
        raise InputError(
            f"the argument {min(taken)!r} cannot be passed to a task by its registered "
            f"name; give the task {name!r} as file.py@name"
        )
    try:
        with _explained(name):
            return registry_create("task", name, **arguments)
    except LookupError as ex:
        if str(ex) != f"{name} was not found in the registry":
            raise
        packages = sorted({point.name for point in entry_points(group="inspect_ai")})
        raise InputError(
            f"no task {name!r}; give package/name or file.py@name. Packages with "
            f"components for Inspect: {', '.join(packages)}; "
            "`inspect list tasks` lists those in files"
        ) from ex


def _from_file(path: str, name: str, arguments: Mapping[str, Any]) -> Task:
    """A task of a file, made in the file's folder as `inspect eval` makes it."""
    file = _found(path)
    with chdir(file.parent), _importable(file.parent):
        factory = _factory(_loaded(file), name, path)
        with _explained(f"{path}@{registry_info(factory).name}"):
            return factory(**arguments)


def _found(path: str) -> Path:
    """The file; `inspect eval-retry` asks for it from within its folder."""
    file = Path(path)
    here, folder = Path.cwd(), file.parent
    from_within = here.parts[-len(folder.parts) :] == folder.parts
    if not file.is_file() and from_within and (here / file.name).is_file():
        file = here / file.name
    if not file.is_file():
        raise InputError(f"no file {path!r} in {here}; give its whole path")
    return file.resolve()


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Modules beside the file can be imported while it is loaded."""
    before = list(sys.path)
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path[:] = before


def _loaded(file: Path) -> ModuleType:
    """The file as a module, under its path, by which `@task` records where it is."""
    loader = SourceFileLoader(file.as_posix(), str(file))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None, "a source file always has one"
    module = module_from_spec(spec)
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


def _factory(module: ModuleType, name: str, path: str) -> _Factory:
    """The one function of a module that makes the named task, or its only task."""
    found: dict[str, _Factory] = {}
    for member in vars(module).values():
        task = _task_name(member)
        if task and (name or member.__module__ == module.__name__):
            found[task] = member
    if name in found:
        return found[name]
    if not name and len(found) == 1:
        return found.popitem()[1]
    known = ", ".join(sorted(found)) or "none"
    wanted = f"no task {name!r} in {path}" if name else f"{path} has not just one task"
    raise InputError(f"{wanted}; its tasks: {known}. Give {path}@name")


def _task_name(member: object) -> str | None:
    """The name of the task that a member of a module makes, if it makes one."""
    try:
        info = registry_info(member)
    except ValueError:
        return None
    if not isinstance(info, RegistryInfo) or info.type != "task":
        return None
    return info.name.rpartition("/")[2] if callable(member) else None


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """An argument that a task lacks, or wants, is the user's to put right."""
    try:
        yield
    except TypeError as ex:
        if not any(words in str(ex) for words in ("unexpected keyword", "missing")):
            raise
        raise InputError(
            f"task {name}: {ex}; arguments that are not p_eval's go to the task"
        ) from ex
