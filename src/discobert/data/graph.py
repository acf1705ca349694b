"""Graphs over EDUs as edge lists."""

from dataclasses import dataclass

from discobert.errors import InvalidGraph


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A directed edge from a dependent EDU to its head."""

    dependent: int
    head: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class DiscourseGraph:
    """Directed edges over ``size`` EDUs."""

    size: int
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        for edge in self.edges:
            if not (0 <= edge.dependent < self.size and 0 <= edge.head < self.size):
                raise InvalidGraph(
                    f"edge {edge.dependent} -> {edge.head} leaves a graph of {self.size} EDUs"
                )
