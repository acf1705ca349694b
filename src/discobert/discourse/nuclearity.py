"""How central an EDU is by nuclearity alone (Marcu 1997; Louis et al. 2010)."""

from discobert.data.rst import Nuclearity, RstTree, nodes


def promotion_depths(tree: RstTree) -> tuple[int, ...]:
    """Return, for each EDU, the depth of the highest node that promotes it; the root has depth 0.

    A node promotes what its nuclei promote, so an EDU rises until it meets a satellite.
    """
    branches = nodes(tree)
    n_edus = len(branches) + 1
    # Each span's own depth and the depth its promoted EDUs reach; a parent precedes its children.
    reached = {(0, n_edus): (0, 0)}
    for node in reversed(branches):
        depth, top = reached.pop((node.start, node.end))
        for start, end, satellite in (
            (node.start, node.middle, node.nuclearity is Nuclearity.RIGHT),
            (node.middle, node.end, node.nuclearity is Nuclearity.LEFT),
        ):
            reached[start, end] = (depth + 1, depth + 1 if satellite else top)
    return tuple(top for _, (_, top) in sorted(reached.items()))
