"""Label scoring beside plain transformers: 24 questions about one long transcript.

Run with ``python benchmarks/label_logprobs.py``. The peer runs one forward pass for
each question and label, and is told to compute logits for the label's tokens only. It
must give our numbers. Our side is timed before and after it, since other work on the
machine changes both. Where the packaged model is not on this machine, the benchmark
says so and stops.
"""

import asyncio
import statistics
import time
from dataclasses import dataclass
from itertools import product

from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

from inspect_awareness.whitebox import LabelRequest, packaged_models

MODEL = "smollm2-135m"
LABELS = (" yes", " no")
REPEATS = 4
TOLERANCE = 1e-4  # nats


@dataclass(frozen=True)
class Ours:
    """Our numbers and times, in nats and seconds."""

    logprobs: list[float]
    total: float
    forward: float

    @property
    def overhead(self) -> float:
        """Everything but the model's own forward passes."""
        return self.total - self.forward


def requests() -> list[LabelRequest]:
    """24 questions about a transcript of about 1,000 tokens."""
    transcript = []
    for step in range(10):
        transcript += [
            ChatMessageUser(
                content=f"Step {step}: please look at the file report_{step}.txt and "
                f"tell me what the totals are for the northern region."
            ),
            ChatMessageAssistant(
                content=f"I opened report_{step}.txt. The totals for the northern "
                f"region are {step * 37} units in spring, {step * 41} in summer, "
                f"{step * 13} in autumn and {step * 7} in winter, a little less than "
                f"the plan had foreseen, since the harbour was closed for two weeks."
            ),
        ]
    places = "a test,real use,a benchmark,an office,a laboratory,an exam,a shop,a demo"
    asked = product(
        places.split(","), ("take place in", "look like", "seem to come from")
    )
    return [
        LabelRequest(
            messages=(
                *transcript,
                ChatMessageUser(
                    content=f"Did this conversation {verb} {place}? Answer yes or no."
                ),
            ),
            prefill="Answer:",
            labels=LABELS,
        )
        for place, verb in asked
    ]


async def ours(asked: list[LabelRequest]) -> list[Ours]:
    """Score the requests several times, with the forward passes timed apart."""
    from inspect_awareness.whitebox._provider import WhiteboxAPI

    api = WhiteboxAPI(MODEL, dtype="float32", device="cpu")
    await api.label_logprobs(asked[:2])  # load, and try the packed form
    model = (await api.loaded()).model
    spent = 0.0
    started = 0.0

    def before(*_: object) -> None:
        nonlocal started
        started = time.perf_counter()

    def after(*_: object) -> None:
        nonlocal spent
        spent += time.perf_counter() - started

    hooks = [
        model.register_forward_pre_hook(before),
        model.register_forward_hook(after),
    ]
    runs = []
    for _ in range(REPEATS):
        spent, begin = 0.0, time.perf_counter()
        answers = await api.label_logprobs(asked)
        total = time.perf_counter() - begin
        logprobs = [value for answer in answers for value in answer.logprobs]
        runs.append(Ours(logprobs, total, spent))
    for hook in hooks:
        hook.remove()
    return runs


def peer(asked: list[LabelRequest]) -> tuple[list[float], float]:
    """One sequence at a time with nothing but transformers."""
    import torch
    import transformers

    folder = next(m.folder for m in packaged_models() if m.name == MODEL)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    logprobs = []
    begin = time.perf_counter()
    for request in asked:
        chat = [{"role": m.role, "content": m.text} for m in request.messages]
        text = tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True
        )
        context = tokenizer(text + request.prefill)["input_ids"]
        for label in request.labels:
            ids = tokenizer(text + request.prefill + label)["input_ids"]
            new = len(ids) - len(context)
            with torch.inference_mode():
                logits = model(torch.tensor([ids]), logits_to_keep=new + 1).logits[0]
            found = torch.log_softmax(logits[-new - 1 : -1], dim=-1)
            picked = found[range(new), ids[-new:]]
            logprobs.append(float(picked.sum()))
    return logprobs, time.perf_counter() - begin


def main() -> None:
    """Print the times, the ratio and the overhead."""
    if not any(m.name == MODEL and m.status == "ready" for m in packaged_models()):
        print(f"skipped: {MODEL} is not here; run `awareness models get {MODEL}`")
        return
    asked = requests()
    runs = asyncio.run(ours(asked))
    logprobs, seconds = peer(asked)
    runs += asyncio.run(ours(asked))
    total = statistics.median(run.total for run in runs)
    overheads = sorted(run.overhead * 1e3 for run in runs)
    gap = max(
        abs(a - b) for run in runs for a, b in zip(run.logprobs, logprobs, strict=True)
    )
    if gap > TOLERANCE:
        raise SystemExit(f"the numbers differ by {gap:.1e} nats")
    print(f"{len(asked)} questions x {len(LABELS)} labels, {MODEL}, float32, CPU")
    print(f"ours, one batch      {total:8.2f} s (median of {len(runs)})")
    print(f"peer, one by one     {seconds:8.2f} s")
    print(f"ratio                {seconds / total:8.1f}   (target 4)")
    print(f"largest difference   {gap:8.0e} nats (tolerance {TOLERANCE:.0e})")
    print(
        f"overhead             {overheads[0]:8.1f} ms beyond forward (target 20; the "
        f"least of {len(runs)}, median {statistics.median(overheads):.1f})"
    )


if __name__ == "__main__":
    main()
