"""Tasks to audit, each with a feature that must come through unchanged."""

from inspect_ai import Epochs, Task, task
from inspect_ai.approval import ApprovalPolicy, auto_approver
from inspect_ai.dataset import Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import ChatMessageSystem, GenerateConfig, get_model
from inspect_ai.scorer import (
    Score,
    Scorer,
    Target,
    accuracy,
    grouped,
    includes,
    match,
    mean,
    score,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver, use_tools
from inspect_ai.tool import Tool, tool
from inspect_ai.util import store
from inspect_ai.viewer import ViewerConfig


def samples(n: int = 3) -> list[Sample]:
    return [
        Sample(id=k, input=f"Say {k}.", target=str(k % 2), metadata={"kind": k % 2})
        for k in range(n)
    ]


@tool
def look() -> Tool:
    async def execute(where: str) -> str:
        """Look somewhere.

        Args:
            where: Where to look.
        """
        return f"nothing in {where}"

    return execute


@scorer(metrics=[mean(), stderr()])
def observer() -> Scorer:
    """Counts all that a score could depend on."""

    async def measure(state: TaskState, target: Target) -> Score:
        return Score(
            value=len(state.messages) + 100 * len(list(store().keys())),
            answer=state.output.completion,
            metadata={"tools": [t.__name__ for t in state.tools]},
        )

    return measure


@scorer(metrics={"length": [mean()], "said": [accuracy(), stderr()]})
def parts() -> Scorer:
    async def measure(state: TaskState, target: Target) -> Score:
        said = state.output.completion
        return Score(value={"length": len(said), "said": target.text in said})

    return measure


@solver
def mood(word: str = "calm") -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages.insert(0, ChatMessageSystem(content=f"Be {word}."))
        state.store.set("mood", word)
        return await generate(state)

    return solve


@solver
def until_right() -> Solver:
    """Lets itself be scored on the way, and says what came of it."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        on_the_way = await score(state)
        state.output.completion += f" {len(on_the_way)} scores"
        return state

    return solve


@solver
def broken() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.sample_id == 1:
            raise RuntimeError("the disk is full")
        return await generate(state)

    return solve


@solver
def own_score() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        state.scores = {"own": Score(value=float(len(state.messages)))}
        return state

    return solve


@task
def several_scorers() -> Task:
    """Several scorers, one of them twice, and one with a dict of scores."""
    return Task(dataset=samples(), scorer=[includes(), includes(), parts(), observer()])


@task
def grouped_metrics() -> Task:
    """Metrics of the task, which replace those of its scorers."""
    return Task(
        dataset=samples(),
        scorer=[includes(), match()],
        metrics=[accuracy(), grouped(mean(), "kind")],
    )


@task
def epochs() -> Task:
    return Task(
        dataset=samples(),
        scorer=includes(),
        epochs=Epochs(3, ["mean", "at_least_2"]),
        headline_metric=HeadlineMetric(metric="accuracy", reducer="at_least_2"),
    )


@task
def limited() -> Task:
    return Task(
        dataset=samples(2),
        solver=[use_tools(look()), generate()],
        scorer=observer(),
        message_limit=6,
        token_limit=100_000,
        turn_limit=50,
        time_limit=500,
        working_limit=400,
        cost_limit=None,
    )


@task
def erring() -> Task:
    return Task(
        dataset=samples(),
        solver=broken(),
        scorer=[includes(), observer()],
        fail_on_error=False,
        score_on_error=True,
    )


@task
def scored_by_its_solver() -> Task:
    return Task(dataset=samples(), solver=own_score(), metrics=[mean()])


@task
def scored_on_the_way() -> Task:
    return Task(dataset=samples(2), solver=until_right(), scorer=[observer(), match()])


@task(light=True)
def furnished(word: str = "calm", config: str = "easy", name: str = "n") -> Task:
    """A task that says something in every field."""
    return Task(
        dataset=samples(2),
        setup=mood(word),
        solver=generate(),
        scorer=observer(),
        config=GenerateConfig(temperature=0.3, max_tokens=7),
        model_roles={"grader": get_model("mockllm/grader")},
        sandbox="local",
        approval=[ApprovalPolicy(auto_approver(), "*")],
        epochs=2,
        name="furnished-room",
        display_name="Furnished room",
        description="One room.",
        version="3-B",
        metadata={"config": config, "name": name},
        tags=["room"],
        viewer=ViewerConfig(trust_content=False),
        headline_metric="observer",
    )


@task
def slow() -> Task:
    return Task(dataset=samples(1), scorer=observer(), time_limit=1)


_MADE = Task(dataset=samples(1), scorer=observer())


@task
def always_the_same() -> Task:
    return _MADE
