"""CNN/DailyMail stories, by folder and by list of URLs."""

from pathlib import Path

import pytest

from discobert.errors import InputError
from discobert.language.boilerplate import Boilerplate
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Rejected
from discobert.store.corpora.story import Stories, parse_story, story_id

STORY = (
    "A ferry sank.\n\nNobody was hurt.\n\n@highlight\n\nFerry sinks\n\n@highlight\n\nNone hurt\n"
)
CNN = "http://web.archive.org/web/2015id_/http://www.cnn.com/2015/04/03/ferry/index.html"
MAIL = "http://www.dailymail.co.uk/news/article-1/Ferry.html"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for url, name in ((CNN, "cnn/stories"), (MAIL, "dailymail/stories")):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / f"{story_id(url)}.story").write_text(STORY, encoding="utf-8")
    return tmp_path


def test_the_id_is_the_sha1_of_the_url() -> None:
    assert story_id("http://example.org") == "ff7c1f10ab54968058fdcfaadf1b2457cd5d1a3f"


def test_highlights_follow_their_marks() -> None:
    assert parse_story(STORY) == (
        ("A ferry sank.", "Nobody was hurt."),
        ("Ferry sinks", "None hurt"),
    )
    assert parse_story("@highlight\n\nOnly this") == ((), ("Only this",))
    assert parse_story("No highlights.") == (("No highlights.",), ())


def test_a_list_gives_the_order_and_what_is_missing(folder: Path) -> None:
    urls = folder / "all_test.txt"
    urls.write_text(f"{MAIL}\nhttp://gone.example/\n\n{CNN}\n")
    stories = Stories(folder, urls)
    mail, gone, cnn = (located.entry for located in stories.read())
    text = "A ferry sank.\nNobody was hurt."
    assert mail == Article(story_id(MAIL), "dailymail", text, ("Ferry sinks", "None hurt"))
    assert isinstance(gone, Rejected)
    assert (gone.id, gone.code) == (story_id("http://gone.example/"), "missing-file")
    assert isinstance(cnn, Article)
    assert cnn.source == "cnn"
    assert stories.expected() == 3


def test_without_a_list_all_stories_come_by_name(folder: Path) -> None:
    stories = Stories(folder)
    everything = list(stories.read())
    sources = [p.entry.source for p in everything if isinstance(p.entry, Article)]
    assert sources == ["cnn", "dailymail"]
    assert list(stories.read(everything[1].location)) == everything[1:]
    assert stories.expected() is None


def test_a_story_that_is_no_text_is_rejected(folder: Path) -> None:
    (folder / "cnn/stories" / f"{story_id(CNN)}.story").write_bytes(b"\xff\xfa")
    bad, good = (located.entry for located in Stories(folder).read())
    assert isinstance(bad, Rejected)
    assert bad.code == "unreadable"
    assert isinstance(good, Article)


def test_boilerplate_goes_if_asked(folder: Path) -> None:
    path = folder / "cnn/stories" / f"{story_id(CNN)}.story"
    path.write_text("(CNN) -- A ferry sank.\n\n@highlight\n\nFerry")
    first = next(Stories(folder, boilerplate=Boilerplate.DROP).read()).entry
    assert isinstance(first, Article)
    assert first.text == "A ferry sank."


def test_a_missing_folder_or_list_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        list(Stories(tmp_path / "none").read())
    with pytest.raises(InputError, match="the list cannot be read"):
        list(Stories(tmp_path, tmp_path / "none.txt").read())
