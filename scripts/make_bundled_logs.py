"""Make the logs in `datasets/bundled`: both small tasks, answered by the embedded model.

Run from the root of a checkout, with the extra `local` and the model fetched:
`awareness models get smollm2-135m && python scripts/make_bundled_logs.py`
"""

import shutil
import tempfile
from pathlib import Path

from inspect_ai import eval as inspect_eval

from inspect_awareness.datasets.bundled_items import NAMES, bundled_log

MODEL = "whitebox/smollm2-135m"

for name in NAMES:
    with tempfile.TemporaryDirectory() as folder:
        (log,) = inspect_eval(
            f"inspect_awareness/{name}",
            model=MODEL,
            log_dir=folder,
            log_model_api=False,
            display="plain",
        )
        if log.status != "success":
            raise SystemExit(f"{name}: {log.status} {log.error}")
        shutil.copy(Path(log.location.removeprefix("file://")), bundled_log(name))
        print(f"wrote {bundled_log(name).name}: {len(log.samples or [])} samples")
