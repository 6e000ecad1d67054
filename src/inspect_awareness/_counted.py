"""A number with its noun: a leaf, which commands import without waiting for SciPy."""


def counted(n: int, noun: str) -> str:
    """A number with its noun.

    Example:
        >>> counted(1, "source"), counted(2000, "source")
        ('1 source', '2,000 sources')
    """
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
