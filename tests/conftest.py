"""Makes the builders importable from every test: ``from tests.builders import doc, tree``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
