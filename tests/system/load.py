"""Clients that send requests all the time and note what becomes of each."""
import base64
import http.client
import itertools
import json
import random
import secrets
import threading
import time

import host
from waiting import limit, repeats

PDF = b"%PDF-1.4\n1 0 obj <</Pages 2 0 R>> endobj\n2 0 obj <</Kids [3 0 R]/Count 1>> endobj\n3 0 obj <</Type/Page>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n"


class Outcome:
    def __init__(self, began, ended, kind, status, error=None):
        self.began, self.ended, self.kind, self.status, self.error = began, ended, kind, status, error
        self.repeated = False  # whether its client sent the request again, with success

    @property
    def good(self):
        return self.error is None and self.status in (200, 201)


class Load:
    """Each request has a connection of its own, so that none is lost with a connection that ends while it is idle: with that HTTP clients
    deal themselves (RFC 9112, 9.3.1). A write that is answered with 503 is sent again with the same key until it is acknowledged, and a sign-in until it succeeds: passwords are
    hashed one after another, so a sign-in may be asked to come later."""

    def __init__(self, instance, clients=4):
        self.instance = instance
        self.outcomes = []
        self.acknowledged = {}  # title -> id
        self.unanswered = []    # titles of writes that failed otherwise
        self._name = secrets.token_hex(6)  # of no other load's writes
        self._stop = threading.Event()
        self._count = itertools.count()
        self._tls = instance.tls()
        self._threads = [threading.Thread(target=self._client, args=(i,), daemon=True) for i in range(clients)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        self.wait_for(20)
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join(limit(90))
            host.expect(not thread.is_alive(), "a client hangs")

    def wait_for(self, more, seconds=120):
        """Until so many more requests have succeeded."""
        target = sum(outcome.good for outcome in self.outcomes) + more
        host.wait_until(lambda: sum(outcome.good for outcome in self.outcomes) >= target, f"{more} good answers", seconds)

    def _client(self, number):
        choose = random.Random(number)
        while not self._stop.is_set():
            kind = choose.choices(["jobs", "stock", "write", "me", "auth", "upload"], [8, 4, 4, 2, 1, 1])[0]
            getattr(self, "_" + kind)()

    def _send(self, kind, method, path, body=None, headers=None):
        began = time.monotonic()
        status, document, error = None, None, None
        connection = http.client.HTTPSConnection(self.instance.host, 443, timeout=limit(60), context=self._tls)
        try:
            given = {"Authorization": f"Bearer {self.instance.token}", "Connection": "close", **(headers or {})}
            if body is not None:
                given["Content-Type"] = "application/json"
            connection.request(method, path, json.dumps(body) if body is not None else None, given)
            answer = connection.getresponse()
            status = answer.status
            document = json.loads(answer.read())
            if status in (200, 201) and "data" not in document or status >= 400 and list(document) != ["error"]:
                error = f"{status} {document}"
            if status not in (200, 201, 503):
                error = document["error"]
            if status == 503 and not (answer.headers["Retry-After"] or "").isdigit():
                error = "503 without Retry-After"
        except (OSError, http.client.HTTPException, ValueError) as failure:
            error = repr(failure)
        finally:
            connection.close()
        outcome = Outcome(began, time.monotonic(), kind, status, error)
        self.outcomes.append(outcome)
        return outcome, document

    def _jobs(self):
        self._send("jobs", "GET", "/api/v1/jobs")

    def _stock(self):
        self._send("stock", "GET", "/api/v1/stock?limit=5")

    def _me(self):
        self._send("me", "GET", "/api/v1/me")

    def _auth(self):
        refused = []
        while True:
            outcome, _ = self._send("auth", "POST", "/api/v1/auth", {"email": "sign-in@dealer.test", "password": "correct horse 9 battery"})
            if outcome.status != 503 or outcome.error or self._stop.is_set():
                break
            refused.append(outcome)
            self._stop.wait(1)
        for each in refused:
            each.repeated = outcome.good

    def _upload(self):
        number = next(self._count)
        data = base64.b64encode(PDF.replace(b"trailer <<", b"trailer <</N %d" % number)).decode()
        self._send("upload", "POST", "/api/v1/uploads", {"filename": "a.pdf", "contentType": "application/pdf", "data": data})

    def _write(self):
        title = f"Van {self._name} {next(self._count)}"
        while True:
            outcome, document = self._send("write", "POST", "/api/v1/stock", {"reference": title, "title": title}, {"Idempotency-Key": title.replace(" ", "-")})
            if outcome.status == 201 and not outcome.error:
                self.acknowledged[title] = document["data"]["id"]
                return
            if outcome.status != 503 or self._stop.is_set():
                self.unanswered.append(title)
                return
            time.sleep(0.2)

    # What is said about it.

    def failed(self, allowed=()):
        return [outcome for outcome in self.outcomes if not outcome.good and not outcome.repeated and not (outcome.error is None and outcome.status in allowed)]

    def recovery(self, since):
        """Seconds from then until the last answer that was no success."""
        return max((outcome.ended - since for outcome in self.outcomes if not outcome.good and outcome.ended > since), default=0.0)

    def longest(self, status):
        return max((outcome.ended - outcome.began for outcome in self.outcomes if outcome.status == status), default=0.0)

    def check_writes(self):
        """Every acknowledged write is there, once; what was not acknowledged is there at most once."""
        found = {}
        for line in host.said(f"tradepostctl --instance {self.instance.name} export stock -").splitlines():
            item = json.loads(line)
            found.setdefault(item["title"], []).append(item["id"])
        for title, id in self.acknowledged.items():
            host.equal(found.get(title), [id], f"the acknowledged {title}")
        for title in self.unanswered:
            host.expect(len(found.get(title, [])) <= 1, f"{title} is there {found.get(title)}")

    def report(self, fault, since, allowed=()):
        """A line of the table: fault, requests sent, of them 503 (as the API rules demand), failed, seconds to recovery."""
        failed = self.failed(allowed)
        if 503 not in allowed:
            repeats[0] += sum(outcome.repeated for outcome in self.outcomes)
        away = sum(outcome.status == 503 and outcome.error is None for outcome in self.outcomes)
        path = host.RESULTS / "faults"
        if not path.exists():
            path.write_text("fault | sent | 503 | failed | s to recovery | longest 503, s | writes acknowledged\n")
        with path.open("a") as table:
            table.write(f"{fault} | {len(self.outcomes)} | {away} | {len(failed)} | {self.recovery(since):.1f} | {self.longest(503):.1f} | "
                        f"{len(self.acknowledged)}\n")
        return failed


def describe(failed):
    return f"{len(failed)} failed: " + "; ".join(f"{o.kind} {o.status} {o.error}" for o in failed[:5])
