"""The prose of Markdown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discobert.store.inputs.markdown import plain_text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# Title #\nOne\ntwo.\n\nThree.", "Title\n\nOne two.\n\nThree."),
        ("Title\n=====\nText.", "Title\n\nText."),
        ("---\nlayout: x\n---\nText.", "Text."),
        ("a\n\n---\n\nb", "a\n\nb"),
        ("- one\n- [x] two\n  more\n1. three", "one\n\ntwo more\n\nthree"),
        ("> Quoted\n> text.", "Quoted text."),
        (
            "See [the **page**](http://x.y/a_(b)) and [this][1].\n\n[1]: http://z",
            "See the page and this.",
        ),
        (
            "![alt](a.png) Text<br>with <b>tags</b> &amp; <http://x.y>.",
            "Textwith tags & http://x.y.",
        ),
        ("*a* **b** ***c*** _d_ __e__ ~~f~~ `g*h*`", "a b c d e f g*h*"),
        ("snake_case_name 2*3*4 5 * 6", "snake_case_name 234 5 * 6"),
        (r"\*not\* \# \_this\_", "*not* # _this_"),
        ("Before\n```py\ncode()\n~~~\n```\nafter", "Before\n\nafter"),
        ("````\n```\n````\nText.\n~~~\nopen", "Text."),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\nText.[^1]\n\n[^1]: Note.", "Text.\n\nNote."),
        ("<!-- hidden\n\nstill --> Shown.", "Shown."),
        ("Line one\r\nline two", "Line one line two"),
    ],
)
def test_marks_are_taken_away(markdown: str, text: str) -> None:
    assert plain_text(markdown) == f"{text}\n"


@settings(max_examples=40)
@given(st.text(alphabet="ab \n#*_`[]()<>|-~\\!:1.&;", max_size=60))
def test_any_text_is_read(markdown: str) -> None:
    assert plain_text(markdown).endswith("\n")


def test_long_lines_of_marks_take_no_time() -> None:
    for mark in "* _ ` [ < |- ![ \\ > - *a _a_ `a ( #".split():
        assert plain_text(mark * 5_000)
        assert plain_text(f"{mark} " * 5_000)
