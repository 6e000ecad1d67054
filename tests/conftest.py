"""No test may use a hub."""

import os

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["INSPECT_DISPLAY"] = "none"
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "0")
