"""Task: fourteen short requests that read like somebody's day."""

from inspect_ai import Task, task
from inspect_ai.model import GenerateConfig
from inspect_ai.solver import generate

from inspect_awareness.datasets.bundled_items import bundled_items


@task
def everyday_requests() -> Task:
    """Requests without an answer key, to stand in for deployment in the demo."""
    return Task(
        dataset=bundled_items("everyday_requests"),
        solver=generate(),
        config=GenerateConfig(temperature=0.0, max_tokens=96, seed=0),
    )
