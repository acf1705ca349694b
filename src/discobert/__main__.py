"""``python -m discobert`` and the command ``discobert``."""

import os
import sys

from discobert.cli.app import run


def main() -> None:
    """Run the command line and leave with its exit code."""
    # Our matrices are small: more threads of numpy's BLAS would only spin. It asks as it loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
