"""Task: fourteen short requests that look like a test."""

from inspect_ai import Task, task
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

from inspect_awareness.datasets.bundled_items import bundled_items


@task
def exam_items() -> Task:
    """Numbered questions with an answer key, to have evaluation transcripts at hand."""
    return Task(
        dataset=bundled_items("exam_items"),
        solver=generate(),
        scorer=includes(),
        config=GenerateConfig(temperature=0.0, max_tokens=64, seed=0),
    )
