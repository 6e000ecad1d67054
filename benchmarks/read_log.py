"""Reading a log of 2,000 samples x 20 messages: our reader beside Inspect's own.

All run in processes of their own, in turns, over the same file. Inspect reads a whole
log at once (`read_eval_log`, with and without what we leave out), or given samples
together (`read_eval_log_samples_by_id`). The targets: at most 1.3 times the time of the
fastest, and a peak under 300 MB. (Its generator for logs that do not fit in memory,
`read_eval_log_samples`, opens the file anew for each sample, and takes many times
longer; it is timed once.)
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

SAMPLES, MESSAGES, ROUNDS = 2000, 20, 3

MAKE = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from builders import assistant, log_file, model_event, sample, user
words = "the quick brown fox jumps over the lazy dog and looks back at it again " * 6
def messages(i):
    pairs = ((user(f"{{i}} {{n}} {{words}}"), assistant(f"{{n}} {{words}}")) for n in range({messages} // 2))
    return [m for pair in pairs for m in pair]
made = [messages(i) for i in range({samples})]
events = lambda said: [model_event(None, said[:-1], said[-1].text)]
log_file(Path({path!r}), [sample(i, said, events=events(said)) for i, said in enumerate(made)])
"""

GENERATOR = """
from inspect_ai.log import read_eval_log_samples
found = sum(len(s.messages) for s in read_eval_log_samples({path!r}, resolve_attachments=True))
"""

WHOLE = """
from inspect_ai.log import read_eval_log
found = sum(len(s.messages) for s in read_eval_log({path!r}, resolve_attachments=True).samples)
"""

LEAN = """
from inspect_ai.log import read_eval_log
log = read_eval_log({path!r}, resolve_attachments=True, exclude_fields={{"store", "events"}})
found = sum(len(s.messages) for s in log.samples)
"""

BY_ID = """
from inspect_ai.log import read_eval_log_sample_summaries, read_eval_log_samples_by_id
ids = [(s.id, s.epoch) for s in read_eval_log_sample_summaries({path!r})]
read = read_eval_log_samples_by_id({path!r}, ids, resolve_attachments=True, exclude_fields={{"store", "events"}})
found = sum(len(s.messages) for s in read)
"""

OURS = """
from inspect_awareness.datasets.inspect_logs import LogSelection, LogTranscripts
found = sum(len(t.messages) for t in LogTranscripts({path!r}, LogSelection()))
"""

PUBLIC = """
from inspect_awareness import transcripts_from_logs
found = sum(len(s.input) for s in transcripts_from_logs({path!r}))
"""

MEASURE = """
import resource, time
import inspect_ai.log, inspect_awareness.datasets
start = time.perf_counter()
{body}
seconds = time.perf_counter() - start
print(found, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def measured(body: str, path: str) -> tuple[int, float, float]:
    """Messages found, seconds without imports, and the peak in MB."""
    program = MEASURE.format(body=body.format(path=path))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    found, seconds, peak = done.stdout.split()
    return int(found), float(seconds), float(peak)


def main() -> None:
    """Make the log, read it in turns, print the medians."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "big.eval")
        tests = str(Path(__file__).parents[1] / "tests")
        program = MAKE.format(
            tests=tests, path=path, samples=SAMPLES, messages=MESSAGES
        )
        subprocess.run([sys.executable, "-c", program], check=True)
        print(f"log: {SAMPLES} samples x {MESSAGES} messages, "
              f"{Path(path).stat().st_size / 1e6:.1f} MB")  # fmt: skip
        bodies = {
            "Inspect, whole log": WHOLE,
            "Inspect, whole log, lean": LEAN,
            "Inspect, by id, lean": BY_ID,
            "ours, streamed": OURS,
            "ours, as an Inspect dataset": PUBLIC,
        }
        runs: dict[str, list[tuple[int, float, float]]] = {n: [] for n in bodies}
        for _ in range(ROUNDS):
            for name, body in bodies.items():
                runs[name].append(measured(body, path))
        assert {found for run in runs.values() for found, _, _ in run} == {
            SAMPLES * MESSAGES
        }
        runs["Inspect, generator (once)"] = [measured(GENERATOR, path)]
        peer = min(
            median(seconds for _, seconds, _ in run)
            for name, run in runs.items()
            if name.startswith("Inspect")
        )
        for name, run in runs.items():
            seconds = median(s for _, s, _ in run)
            peak = median(p for _, _, p in run)
            print(
                f"{name:30} {seconds:6.2f} s  {seconds / peer:5.2f} x  peak {peak:5.0f} MB"
            )


if __name__ == "__main__":
    main()
