"""How threads wait, which has to be said before torch is imported.

OpenMP threads spin while they wait for each other. On two cores with another busy
process every parallel region then costs a time slice, and a forward pass a hundred
times its time. Threads that sleep cost nothing that could be measured. What the user
has set stays.
"""

import os

_PATIENT = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0"}


def wait_patiently() -> None:
    """Set the wait policy of OpenMP for this process and those that it starts.

    Without effect on a torch that is imported already.
    """
    for name, value in _PATIENT.items():
        os.environ.setdefault(name, value)
