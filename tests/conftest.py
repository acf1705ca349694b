"""Makes the builders importable from every test: ``from tests.builders import doc, tree``."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parents[1]))

# A busy machine is no failure, and the same examples each time make a failure repeatable.
settings.register_profile("discobert", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("discobert")
