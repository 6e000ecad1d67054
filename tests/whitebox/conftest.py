"""No test here needs the network, and none may reach for it."""

import os

os.environ["HF_HUB_OFFLINE"] = "1"
# two busy processes on two cores make spinning OpenMP threads wait for each other
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "0")
