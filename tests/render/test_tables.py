"""Tables as Markdown."""

from discobert.render.tables import markdown_table, markdown_tables


def test_heading_rule_and_rows_are_lines() -> None:
    written = markdown_table(("system", "R-1"), [("lead3", "40.1"), ("ours", "43.0")])
    assert written == "| system | R-1 |\n| --- | --- |\n| lead3 | 40.1 |\n| ours | 43.0 |\n"


def test_tables_stand_below_their_titles_with_a_line_between() -> None:
    table = (("a",), [("1",)])
    written = markdown_tables({"First": table, "Second": table})
    body = "| a |\n| --- |\n| 1 |\n"
    assert written == f"**First**\n\n{body}\n**Second**\n\n{body}"
