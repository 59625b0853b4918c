"""A client of the API as its reference describes it: tokens, repeats after 429 and 5xx, pages and polls."""

import json
import os
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class Refused(Exception):
    """An answer that is no success: its status, the text of `error` and the headers."""

    def __init__(self, status, error, headers):
        super().__init__(f"{status} {error}")
        self.status, self.error, self.headers = status, error, headers


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def data(self):
        return json.loads(self.body)["data"]


class Client:
    def __init__(self, base, token=None, sleep=time.sleep):
        self.base, self.token, self.sleep = base.rstrip("/"), token, sleep
        self.tls = ssl.create_default_context(cafile=os.environ.get("CA_FILE"))
        self.address = urllib.parse.urlsplit(self.base)

    def with_token(self, token):
        return Client(self.base, token, self.sleep)

    def request(self, method, path, body=None, query=None, headers=None):
        """One request; after 429, and where a repeat does no harm after 5xx, the same again. `body` is JSON unless it is bytes."""
        headers = dict(headers or {})
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        if query:
            path += "?" + urllib.parse.urlencode(query, doseq=True)
        repeatable = method != "POST" or "Idempotency-Key" in headers
        pause = 1
        while True:
            answer = self._send(method, path, body, headers)
            if answer.status < 400:
                return answer
            limited = answer.status == 429
            if not limited and not (repeatable and answer.status in (500, 502, 503, 504)) or pause > 16:
                raise Refused(answer.status, json.loads(answer.body)["error"], answer.headers)
            self.sleep(int(answer.headers["Retry-After"]) if answer.headers["Retry-After"] else pause)
            pause *= 2

    def _send(self, method, path, body, headers):
        request = urllib.request.Request(urllib.parse.urljoin(self.base, path), body, headers, method=method)
        try:
            with urllib.request.urlopen(request, context=self.tls if self.address.scheme == "https" else None, timeout=60) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read())

    def get(self, path, headers=None, **query):
        return self.request("GET", path, query=query, headers=headers)

    def post(self, path, body, **query):
        return self.request("POST", path, body, query, {"Idempotency-Key": str(uuid.uuid4())})

    def read_list(self, path, name, **query):
        """All rows of a list, and the value of X-Next-Updated-Since that page 1 had."""
        answer, rows = self.get(path, limit=100, **query), []
        since = answer.headers["X-Next-Updated-Since"]
        while True:
            rows += answer.data[name]
            following = next_page(answer.headers["Link"] or "")
            if not following:
                return rows, since
            answer = self.get(following)

    def poll(self, path, name, since):
        parameter = "since" if path.endswith("/deletions") else "updatedSince"
        return self.read_list(path, name, **{parameter: since})


def next_page(link):
    for each in link.split(", "):
        address, _, parameters = each.partition(">")
        if 'rel="next"' in parameters:
            return address.lstrip("<")
    return None


def refused(call):
    """The refusal that the call must meet."""
    try:
        call()
    except Refused as refusal:
        return refusal
    raise AssertionError("the request was not refused")
