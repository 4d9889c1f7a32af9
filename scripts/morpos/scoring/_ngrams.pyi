import numpy as np
from numpy.typing import NDArray

SOURCE: str

def count(
    units: NDArray[np.int32],
    starts: NDArray[np.int64],
    systems: int,
    reference_units: NDArray[np.int32],
    reference_starts: NDArray[np.int64],
    references: int,
    order: int,
    match: NDArray[np.int64],
    match_any: NDArray[np.int64],
    /,
) -> None: ...
