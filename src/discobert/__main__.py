"""``python -m discobert`` and the command ``discobert``."""

import os
import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    # Our matrices are small: more threads of numpy's BLAS would only spin. It asks as it loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from discobert.cli.app import run  # here, so that Ctrl-C meanwhile is no traceback
        from discobert.cli.streams import reserve_streams

        reserve_streams()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130  # as a shell reports a command that Ctrl-C has ended
    sys.exit(code)


if __name__ == "__main__":
    main()
