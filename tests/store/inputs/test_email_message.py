"""E-mails."""

from email.message import EmailMessage

import pytest

from discobert.data.document import SourceText
from discobert.data.markup import SegmentKind
from discobert.errors import InputError
from discobert.store.inputs import read_documents

BODY = """Hi Bo,

The bridge will be closed on
Monday. Zoë said so.

On Tue, 3 May 2022, Bo <b@c.d> wrote:
> When will the bridge
> be closed?
>> Soon.

-- 
Ann Lee
Port Office
"""  # noqa: W291 - a signature starts with two hyphens and a space


def message(body: str = BODY, *, subtype: str = "plain") -> EmailMessage:
    made = EmailMessage()
    made["Subject"] = "Bridge and café"
    made["From"] = "ann@port.example"
    made.set_content(body, subtype=subtype, cte="quoted-printable")
    return made


def read(data: EmailMessage | bytes) -> SourceText:
    content = data.as_bytes() if isinstance(data, EmailMessage) else data
    (found,) = read_documents(content, name="a.eml")
    return found


def roles(source: SourceText) -> list[tuple[SegmentKind, str]]:
    return [(each.kind, each.span.of(source.text)) for each in source.markup.segments]


def test_quoted_text_and_signature_are_apart() -> None:
    found = read(message())
    assert found.text.startswith(
        "Bridge and café\n\nHi Bo,\n\nThe bridge will be closed on\nMonday."
    )
    assert "Zoë said so." in found.text
    assert roles(found) == [
        (SegmentKind.HEADING, "Bridge and café"),
        (SegmentKind.GREETING, "Hi Bo,"),
        (SegmentKind.ATTRIBUTION, "On Tue, 3 May 2022, Bo <b@c.d> wrote:"),
        (SegmentKind.QUOTE, "When will the bridge\nbe closed?\nSoon."),
        (SegmentKind.SIGNATURE, "Ann Lee\nPort Office"),
    ]


@pytest.mark.parametrize(
    ("body", "others"),
    [
        ("Tom wrote:\n> Shall we go?\n\nNo.\n", {"attribution": "Tom wrote:"}),
        (
            "On Mon, 2 May 2022 at 10:00, Bo Reed\n<bo@c.example> wrote:\n\n> Go?\n\nNo.\n",
            {"attribution": "On Mon, 2 May 2022 at 10:00, Bo Reed\n<bo@c.example> wrote:"},
        ),
        (
            "No.\n\n-----Original Message-----\nFrom: Bo\nSent: Monday\n\nShall we go?\nI would.\n",
            {"quote": "Shall we go?\nI would."},
        ),
        ("Dear all\n\nNo.\n\nKind regards,\nAnn Lee\n", {"signature": "Kind regards,\nAnn Lee"}),
        ("No. It rains.\n\nAnn\n\n> Shall we go?\n", {"signature": "Ann"}),
    ],
)
def test_words_of_others_and_formalities_are_apart(body: str, others: dict[str, str]) -> None:
    found = read(message(body))
    known = {kind.value: text for kind, text in roles(found)}
    assert others.items() <= known.items()
    assert "No." not in "".join(known.values())


def test_forwarded_text_is_what_the_mail_says() -> None:
    body = "---------- Forwarded message ---------\nFrom: Bo\nDate: Monday\n\nThe pier is shut.\n"
    known = dict(roles(read(message(body))))
    assert SegmentKind.QUOTE not in known
    assert known[SegmentKind.ATTRIBUTION].endswith("Date: Monday")


def test_text_is_preferred_to_html_and_attachments_are_told() -> None:
    made = message("Plain words.\n")
    made.add_alternative("<p>Other words.</p>", subtype="html")
    made.add_attachment(b"PK", maintype="application", subtype="zip", filename="a.zip")
    found = read(made)
    assert found.text == "Bridge and café\n\nPlain words.\n"
    assert [note.code for note in found.markup.notes] == ["attachments-skipped"]


def test_html_alone_is_read() -> None:
    html = (
        "<html><style>p {}</style><body><p>It will <b>close</b> &amp; open.<br>Soon.</p>"
        "<blockquote><p>When?</p></blockquote>Bye.</body></html>"
    )
    found = read(message(html, subtype="html"))
    assert found.text == "Bridge and café\n\nIt will close & open.\n\nSoon.\n\nWhen?\n\nBye.\n"
    assert roles(found)[1:] == [(SegmentKind.QUOTE, "When?")]


@pytest.mark.parametrize("data", [b"", b"no header at all"])
def test_what_is_no_email_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"a\.eml: is no e-mail"):
        read(data)


def test_unknown_encoding_is_one_error() -> None:
    data = b"Subject: A\nContent-Type: text/plain; charset=odd-9\n\nText \xff.\n"
    with pytest.raises(InputError, match="cannot be read as EMAIL: unknown encoding"):
        read(data)


def test_message_without_text_has_its_subject() -> None:
    data = b"Subject: Only this\nContent-Type: image/png\n\n\x89PNG"
    assert read(data).text == "Only this\n"
