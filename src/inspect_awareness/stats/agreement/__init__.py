"""How far two or more raters agree beyond chance."""

from inspect_awareness.stats.agreement._many_raters import (
    fleiss_kappa,
    krippendorff_alpha,
)
from inspect_awareness.stats.agreement._two_raters import (
    JudgeAgreement,
    cohen_kappa,
    judge_agreement,
)

__all__ = [
    "JudgeAgreement",
    "cohen_kappa",
    "fleiss_kappa",
    "judge_agreement",
    "krippendorff_alpha",
]
