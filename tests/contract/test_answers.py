#!/usr/bin/python3
"""Shows that answers.py goes red for what it is there to find."""

import contextlib
import copy
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import answers
from described import Described
from publish import published
from source import load

OPENAPI = pathlib.Path(__file__).resolve().parents[2] / "nginx/www/openapi.yaml"
DESCRIPTION = Described(load(OPENAPI))
OFFERED = Described(published(load(OPENAPI), "0.0.0"))

EVERYWHERE = {
    "x-request-id": "a-b.c_9",
    "x-content-type-options": "nosniff",
    "content-type": "application/json; charset=utf-8",
}
PUBLIC = EVERYWHERE | {
    "access-control-allow-origin": "*",
    "ratelimit-limit": "60",
    "ratelimit-remaining": "59",
    "ratelimit-reset": "60",
}
POST = {
    "id": "0195f0a0-7c00-7000-8000-00000000a001",
    "slug": "a-post",
    "reference": None,
    "organisation": {"id": "0195f0a0-7c00-7000-8000-00000000a002", "slug": "o", "name": "O", "logoUrl": None},
    "title": "A post",
    "summary": None,
    "body": "Text",
    "imageUrl": "https://example.com/a.jpg",
    "tags": ["Electric"],
    "authorName": None,
    "publishedAt": "2026-03-01T09:30:00.000Z",
    "createdAt": "2026-03-01T09:30:00.000Z",
    "updatedAt": "2026-03-01T09:30:00.000Z",
}


def answer(path="/api/v1/posts/a-post", method="GET", status=200, headers=None, body=None):
    tagged = {"etag": '"abc"', "cache-control": "public, max-age=0, must-revalidate"} if status in (200, 304) else {}
    return {
        "method": method,
        "path": path,
        "status": status,
        "headers": (PUBLIC | tagged) if headers is None else headers,
        "body": json.dumps({"data": POST} if body is None else body),
        "origin": "self-test",
    }


class AnswersTest(unittest.TestCase):
    def faults(self, given):
        return answers.check(DESCRIPTION, given)[1]

    def assert_red(self, given, part):
        faults = self.faults(given)
        self.assertTrue(any(part in fault for fault in faults), f"{part!r} is not in {faults}")

    def changed(self, **changes):
        return answer(body={"data": POST | changes})

    def test_right(self):
        self.assertEqual(self.faults(answer()), [])
        self.assertEqual(answers.check(DESCRIPTION, answer())[0], ("GET", "/api/v1/posts/{idOrSlug}", "200"))

    def test_missing_member(self):
        post = copy.copy(POST)
        del post["authorName"]
        self.assert_red(answer(body={"data": post}), "'authorName' is a required property")

    def test_extra_member(self):
        self.assert_red(self.changed(secret="x"), "'secret' was unexpected")
        self.assert_red(self.changed(organisation=POST["organisation"] | {"email": "x"}), "is not valid under any of the given schemas")
        self.assert_red(answer(body={"data": POST, "meta": 1}), "'meta' was unexpected")

    def test_member_of_the_details_in_a_list(self):
        headers = answer()["headers"] | {"link": '<https://h/a?page=1>; rel="first", <https://h/a?page=1>; rel="last"', "x-total-count": "1"}
        page = {"posts": [{k: v for k, v in POST.items() if k != "body"}], "total": 1, "page": 1, "pages": 1}
        listed = lambda data: answer("/api/v1/posts?page=1", headers=headers, body={"data": data})
        self.assertEqual(self.faults(listed(page)), [])
        self.assert_red(listed(page | {"posts": [POST]}), "'body' was unexpected")
        self.assert_red(listed(page | {"more": 1}), "'more' was unexpected")
        self.assert_red(listed({k: v for k, v in page.items() if k != "total"}), "'total' is a required property")

    def test_wrong_type(self):
        self.assert_red(self.changed(title=5), "/data/title: 5 is not of type 'string'")
        self.assert_red(self.changed(title=None), "/data/title")
        self.assert_red(self.changed(tags="Electric"), "/data/tags")

    def test_formats(self):
        self.assert_red(self.changed(id="0195F0A0"), "/data/id")
        self.assert_red(self.changed(createdAt="2026-13-01T09:30:00.000Z"), "is not a 'date-time'")
        self.assert_red(self.changed(createdAt="2026-03-01T09:30:00Z"), "/data/createdAt")
        self.assert_red(self.changed(imageUrl="no uri"), "is not a 'iri'")

    def test_status(self):
        self.assert_red(answer(status=418), "status 418 is not described")
        self.assert_red(answer("/api/v1/nothing"), "the path is not described")
        self.assert_red(answer(method="PUT"), "the method is not described")
        self.assert_red(answer(method="get"), "the method is not described")

    def test_the_description_that_is_offered(self):
        self.assertEqual(answers.check_offered(OFFERED, answer()), [])
        self.assertEqual(answers.check_offered(OFFERED, answer(body={"data": {**POST, "more": 1}})), [])
        self.assertEqual(answers.check_offered(OFFERED, answer("/dashboard/api/session", body={})), [])
        self.assertTrue(answers.check_offered(OFFERED, answer(body={"data": {**POST, "title": 1}})))

    def test_escapes_in_paths(self):
        self.assertEqual(self.faults(answer("/api/v1/post%73/a%2Dpost?x=%zz")), [])
        for path in ("/api/v1/posts/%zz", "/api/v1/posts/%FF", "/api/v1/posts/a%00", "/api/v1/posts%2Fa"):
            with self.subTest(path):
                self.assert_red(answer(path), "the path is not described")

    def test_error_string(self):
        self.assertEqual(self.faults(answer(status=404, body={"error": "Not found"})), [])
        self.assert_red(answer(status=404, body={"error": "Not Found"}), "'Not found' was expected")
        self.assert_red(answer(status=404, body={"error": "Not found", "code": 1}), "'code' was unexpected")

    def test_problem(self):
        entry = {"pointer": "/title", "code": "required", "detail": "is required"}
        whole = {"type": "https://h.example/docs/errors#not_found", "title": "Not Found", "status": 404, "detail": "Not found", "code": "not_found",
                 "requestId": "a-b", "errors": [entry]}
        told = lambda status=404, **changes: answer(status=status, headers=PUBLIC | {"content-type": "application/problem+json"}, body={**whole, **changes})
        self.assertEqual(self.faults(told()), [])
        self.assertEqual(answers.check_offered(OFFERED, told()), [])
        self.assert_red(told(detail="Not Found"), "'Not found' was expected")
        self.assert_red(told(more=1), "problem /: Additional properties")
        self.assert_red(told(errors=[{**entry, "code": 1}]), "problem /errors/0/code")
        self.assert_red(told(status=200), "content type is 'application/problem+json'")

    def test_headers(self):
        for name in ("etag", "x-request-id", "x-content-type-options", "access-control-allow-origin"):
            given = answer()
            del given["headers"][name]
            with self.subTest(name):
                self.assertTrue(self.faults(given))
        self.assert_red(answer(headers=answer()["headers"] | {"ratelimit-limit": "many"}), "header RateLimit-Limit")
        self.assert_red(answer(headers=answer()["headers"] | {"content-type": "application/json"}), "content type")

    def test_body_that_is_no_json(self):
        self.assert_red(answer() | {"body": "<html>"}, "the body is no JSON")
        self.assert_red(answer() | {"body": '{"data": NaN}'}, "the body is no JSON")

    def test_answers_without_a_body(self):
        self.assertEqual(self.faults(answer(method="HEAD") | {"body": ""}), [])
        self.assert_red(answer(method="HEAD"), "a body where there must be none")
        self.assertEqual(self.faults(answer(status=304) | {"body": ""}), [])
        self.assert_red(answer(status=304), "a body where there must be none")

    def test_any_path(self):
        allow = EVERYWHERE | {"allow": "GET, HEAD, OPTIONS"}
        self.assertEqual(self.faults(answer(method="OPTIONS", headers=allow, body={"data": {}})), [])
        self.assert_red(answer(method="OPTIONS", headers=EVERYWHERE, body={"data": {}}), "header Allow is missing")
        self.assertEqual(self.faults(answer(method="PUT", status=405, headers=allow, body={"error": "Method not allowed"})), [])
        self.assertEqual(self.faults(answer("/x", status=404, headers=EVERYWHERE, body={"error": "Not found"})), [])
        self.assertEqual(self.faults(answer(status=414, headers=EVERYWHERE, body={"error": "URI too long"})), [])
        self.assert_red(answer(status=502, headers=EVERYWHERE, body={"error": "Oops"}), "was expected")

    def test_what_no_test_saw(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "answers.ndjson")
            pathlib.Path(path).write_text(json.dumps(answer()) + "\n", encoding="utf-8")
            told = io.StringIO()
            with contextlib.redirect_stdout(told):
                status = answers.main([str(OPENAPI), path])
        self.assertEqual(status, 1)
        self.assertIn("no test saw GET /api/v1/me 200\n", told.getvalue())
        self.assertNotIn("no test saw GET /api/v1/posts/{idOrSlug} 200\n", told.getvalue())
        self.assertNotIn("/api/v1/openapi.yaml 200", told.getvalue())  # x-not-tested


if __name__ == "__main__":
    unittest.main()
