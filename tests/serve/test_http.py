"""The HTTP surface of a real service with the shipped model."""

from collections.abc import Iterator

import pytest
from tests.serve.running import TEXT, Running, ready

from discobert import Summarizer
from discobert.data.codecs.summary import encode_summary

pytest.importorskip("fastapi")


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with ready("--workers", "1") as service:
        yield service


def test_summary_equals_that_of_the_library(service: Running) -> None:
    expected = encode_summary(Summarizer.load().summarize(TEXT, words=20))
    answer = service.summarize(words=20)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json == expected


def test_second_length_recalls_analysis_and_scores(service: Running) -> None:
    text = TEXT + " Snow closed the school."
    hits = service.metric('discobert_cache_lookups_total{result="hit"}')
    recalls = service.metric('discobert_stage_seconds_count{stage="recall"}')
    service.summarize(text, words=20)
    again = service.summarize(text, sentences=1)
    assert again.json["words"] == len(again.json["text"].split()) > 0
    assert len(again.json["sentences"]) == 1
    assert service.metric('discobert_cache_lookups_total{result="hit"}') == hits + 1
    assert service.metric('discobert_stage_seconds_count{stage="recall"}') == recalls + 1


def test_units_lie_where_their_offsets_say(service: Running) -> None:
    for unit in service.summarize(words=20).json["units"]:
        assert TEXT[unit["start"] : unit["end"]] == unit["text"]


def test_analysis_comes_with_the_summary_on_demand(service: Running) -> None:
    alone = service.post("/v1/analyze", {"text": TEXT}).json
    assert alone["text"] == TEXT
    assert service.summarize(include=["analysis"]).json["analysis"] == alone


@pytest.mark.parametrize(
    ("body", "status", "code", "part"),
    [
        ({"text": ""}, 400, "input", "empty"),
        ({"text": " \n"}, 400, "input", "white space"),
        ({"text": "1, 2"}, 400, "input", "no letters"),
        ({}, 422, "invalid", "text: Field required"),
        ({"text": "A.", "words": "3"}, 422, "invalid", "words: "),
        ({"text": "A.", "words": 0}, 422, "invalid", "words: "),
        ({"text": "A.", "words": 3, "chars": 9}, 422, "invalid", "only one of words and chars"),
        ({"text": "A.", "wrods": 3}, 422, "invalid", "wrods: "),
        ({"text": "A.", "style": "loud"}, 422, "invalid", "style: "),
        ({"text": "A.", "focus": "..."}, 422, "invalid", "focus"),
        (["A."], 422, "invalid", "object"),
    ],
)
def test_what_cannot_be_done_is_told(
    service: Running, body: object, status: int, code: str, part: str
) -> None:
    answer = service.post("/v1/summarize", body)
    assert (answer.status, answer.json["error"]["code"]) == (status, code)
    assert part in answer.json["error"]["message"]


def test_too_many_characters_are_refused_with_limit_and_size() -> None:
    with ready("--workers", "1", "--model", "rules", "--max-chars", "30") as service:
        answer = service.summarize("It rains. " * 4)
        assert answer.status == 413
        assert answer.json["error"]["message"] == (
            "the text has 40 characters; at most 30 are taken"
        )


def test_file_gives_its_text_title_and_markup(service: Running) -> None:
    content = b"# Flood\n\nThe *river* rose. It flooded the old mill.\n"
    answer = service.request("POST", "/v1/extract?name=a.md", content).json
    assert answer["text"] == "Flood\n\nThe river rose. It flooded the old mill.\n"
    assert (answer["title"], answer["warnings"]) == ("Flood", [])
    sent = {"text": answer["text"], "markup": answer["markup"]}
    analysis = service.post("/v1/analyze", sent).json
    assert analysis["markup"]["segments"] == [{"start": 0, "end": 5, "kind": "heading"}]
    summary = service.summarize(sentences=2, **sent).json
    assert summary["sentences"]
    assert "Flood" not in summary["sentences"]


def test_markup_that_does_not_fit_is_an_error(service: Running) -> None:
    for markup in ({"segments": 3}, {"segments": [{"start": 0, "end": 9999, "kind": "quote"}]}):
        answer = service.summarize(markup=markup)
        assert (answer.status, answer.json["error"]["code"]) == (400, "input")


def test_broken_or_empty_file_is_an_input_error(service: Running) -> None:
    for content in (b"\xff\xfe\x00", b""):
        answer = service.request("POST", "/v1/extract?name=a.txt", content)
        assert (answer.status, answer.json["error"]["code"]) == (400, "input")


def test_service_describes_itself(service: Running) -> None:
    info = service.get("/info").json
    assert info["limits"]["chars"] == 1_000_000
    models = service.get("/v1/models").json
    assert models["data"] == [info["model"]]
    assert info["model"]["id"] == "en"
    assert service.get("/health/live").json == {"live": True}
    assert service.get("/health/ready").json == {
        "ready": True,
        "draining": False,
        "workers_ready": 1,
        "workers": 1,
    }


def test_pages_need_nothing_from_elsewhere(service: Running) -> None:
    for path in ("/", "/docs", "/static/docs.css"):
        answer = service.get(path)
        assert answer.status == 200
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert b"POST /v1/summarize" in service.get("/docs").body
    assert "/v1/summarize" in service.get("/openapi.json").json["paths"]


def test_log_holds_no_text(service: Running) -> None:
    service.summarize("Zanzibar was quiet.", focus="quiet")
    service.request("POST", "/v1/extract?name=zanzibar.txt", b"Zanzibar was quiet.")
    service.get("/zanzibar")
    service.event("request", route="other", status=404)
    assert "zanzibar" not in str(service.log).lower()


def test_unknown_ways_are_errors_in_json(service: Running) -> None:
    assert service.get("/v1/summarize").json["error"]["code"] == "method"
    assert service.get("/nowhere").json["error"]["code"] == "not-found"
    assert service.get("/static/../../settings.py").status == 404


def test_pages_of_other_origins_cannot_send(service: Running) -> None:
    body = {"text": TEXT}
    host = f"127.0.0.1:{service.port}"
    assert service.post("/v1/summarize", body, Origin=f"http://{host}").status == 200
    for foreign in ({"Origin": "http://evil.test"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = service.post("/v1/summarize", body, **foreign)
        assert answer.status == 403
        assert "access-control-allow-origin" not in answer.headers


def test_foreign_names_are_refused(service: Running) -> None:
    assert service.get("/info", Host="evil.test").status == 421
    assert service.get("/info", Host="localhost:1").status == 200


def test_token_guards_all_but_liveness() -> None:
    env = {"DISCOBERT_TOKEN": "open sesame"}
    with ready("--workers", "1", "--model", "rules", env=env) as service:
        assert service.get("/health/live").status == 200
        for path in ("/", "/info", "/metrics", "/health/ready", "/docs", "/static/docs.css"):
            assert service.get(path).status == 401
        refused = service.post("/v1/summarize", {"text": TEXT}, Authorization="Bearer open")
        assert refused.status == 401
        assert refused.headers["www-authenticate"].startswith("Bearer")
        for header in ("Bearer open sesame", "Basic dXNlcjpvcGVuIHNlc2FtZQ=="):
            assert service.get("/info", Authorization=header).status == 200
        for header in ("Basic !", "Basic", "Digest open sesame", ""):
            assert service.get("/info", Authorization=header).status == 401
