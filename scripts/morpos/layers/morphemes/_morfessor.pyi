from array import array

SOURCE: str

class Trainer:
    def __new__(
        cls,
        words: list[str],
        counts: list[int],
        weight: float,
        n_log_n: array[float],
        log_factorial: array[float],
        /,
    ) -> Trainer: ...
    def optimise(self, word: int, /) -> None: ...
    def cost(self) -> float: ...
    def nodes(self) -> dict[str, tuple[int, int, int]]: ...
