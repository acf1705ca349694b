"""Analyses as JSON documents."""

from collections.abc import Sequence

from discobert.data.json_text import dumps
from discobert.data.summary import Analysis
from discobert.render.described_analysis import describe


def render_analysis_json(analyses: Sequence[Analysis]) -> str:
    """Write one analysis as an object, several as an array with a line each.

    Not indented: trees may be thousands of levels deep.
    """
    lines = [dumps(describe(analysis)) for analysis in analyses]
    return f"{lines[0]}\n" if len(lines) == 1 else "[{}]\n".format(",\n".join(lines))
