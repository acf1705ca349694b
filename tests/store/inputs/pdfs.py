"""Small PDF files, made by hand."""

import io
import zlib
from collections.abc import Sequence


def pdf(*pages: Sequence[str]) -> bytes:
    """Write the lines of each page in Helvetica."""
    return built([b"\n".join(_drawn(lines)) for lines in pages])


def _drawn(lines: Sequence[str]) -> list[bytes]:
    shown = [b"(%s) Tj T*" % line.encode("latin-1") for line in lines]
    return [b"BT /F1 12 Tf 14 TL 72 720 Td", *shown, b"ET"]


def built(contents: Sequence[bytes], *, filters: bytes = b"") -> bytes:
    """Put streams of drawing commands into a file, a page each."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * page) for page in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(contents)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, content in enumerate(contents):
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * number),
            b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), filters, content),
        ]
    return _written(objects)


def _written(objects: Sequence[bytes]) -> bytes:
    file = io.BytesIO(b"%PDF-1.4\n")
    file.seek(0, io.SEEK_END)
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(file.tell())
        file.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = file.tell()
    file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    file.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
    file.write(b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(objects) + 1))
    file.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return file.getvalue()


def bomb(size: int) -> bytes:
    """Write a page of a few hundred bytes that unpacks to ``size`` bytes."""
    twice = zlib.compress(zlib.compress(b"q " * (size // 2)))
    return built([twice], filters=b"/Filter [/FlateDecode /FlateDecode]")


def labyrinth(steps: int) -> bytes:
    """Write a page that takes long to read, small as it is."""
    return built([zlib.compress(b"(a) Tj " * steps)], filters=b"/Filter /FlateDecode")
