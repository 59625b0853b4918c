"""Clients that send requests at a steady rate, whatever becomes of them, and note that."""
import concurrent.futures
import http.client
import itertools
import json
import random
import secrets
import socket
import ssl
import threading
import time

READS_A_SECOND, WRITES_A_SECOND = 40, 10
PATIENCE = 30  # a client gives up a write that nobody acknowledged in this time


class Outcome:
    def __init__(self, kind, sent, status, error=None):
        self.kind, self.sent, self.status, self.error = kind, sent, status, error

    @property
    def good(self):
        return self.error is None and self.status in (200, 201)


class Site:
    """The API under its name, by way of one address."""

    def __init__(self, host, address, ca, token):
        self.host, self.address, self.token = host, address, token
        self.tls = ssl.create_default_context(cafile=ca)

    def connect(self, timeout=10):
        connection = http.client.HTTPSConnection(self.host, 443, timeout=timeout, context=self.tls)
        connection.sock = self.tls.wrap_socket(socket.create_connection((self.address, 443), timeout), server_hostname=self.host)
        return connection

    def send(self, method, path, body=None, headers=None, timeout=10):
        """Status and document; OSError or http.client.HTTPException without an answer."""
        connection = self.connect(timeout)
        try:
            given = {"Authorization": f"Bearer {self.token}", "Connection": "close", **(headers or {})}
            if body is not None:
                given["Content-Type"] = "application/json"
            connection.request(method, path, json.dumps(body) if body is not None else None, given)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()


class Load:
    """Reads and writes through `entrance`. A write that is not acknowledged is sent again with the same key. What was acknowledged is read
    at once from each of `others`, the API hosts themselves: it must be there, and be counted in the list's total."""

    def __init__(self, entrance, others):
        self.entrance, self.others = entrance, others
        self.outcomes, self.acknowledged, self.given_up, self.stale = [], {}, [], []
        self._name, self._count, self._titles = secrets.token_hex(6), itertools.count(), []
        self._before = others[0].send("GET", "/api/v1/stock?limit=1")[1]["data"]["total"]
        self._stop = threading.Event()
        self._pool = concurrent.futures.ThreadPoolExecutor(400)
        self._clock = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._clock.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._clock.join()
        self._pool.shutdown(wait=True)

    def _run(self):
        choose, begin = random.Random(1), time.monotonic()
        for number in itertools.count():
            due = begin + number / (READS_A_SECOND + WRITES_A_SECOND)
            if self._stop.wait(max(0, due - time.monotonic())):
                return
            writes = choose.random() < WRITES_A_SECOND / (READS_A_SECOND + WRITES_A_SECOND)
            self._pool.submit(self._write if writes else self._read)

    def _send(self, kind, site, method, path, body=None, headers=None):
        sent, status, document, error = time.monotonic(), None, None, None
        try:
            status, document = site.send(method, path, body, headers)
            if status not in (200, 201, 503):
                error = str(document)
        except (OSError, http.client.HTTPException, ValueError) as failure:
            error = repr(failure)
        self.outcomes.append(Outcome(kind, sent, status, error))
        return status, document

    def _read(self):
        self._send("read", self.entrance, "GET", random.choice(("/api/v1/jobs", "/api/v1/events", "/api/v1/posts?limit=5")))

    def _write(self):
        title = f"Van {self._name} {next(self._count)}"
        self._titles.append(title)
        until = time.monotonic() + PATIENCE
        # Clients back off. At a steady pace those of a long outage would open so many connections that HAProxy has no time for its checks.
        for wait in itertools.chain((0.2, 0.4, 0.8), itertools.repeat(1.6)):
            if time.monotonic() > until:
                break
            status, document = self._send("write", self.entrance, "POST", "/api/v1/stock", {"reference": title, "title": title},
                                          {"Idempotency-Key": title.replace(" ", "-")})
            if status == 201:
                self.acknowledged[title] = document["data"]["id"]
                return self._look(title)
            time.sleep(wait)
        self.given_up.append(title)

    def _look(self, title):
        for site in self.others:
            try:
                status, _ = site.send("GET", f"/api/v1/stock/{self.acknowledged[title]}")
                least = self._before + len(self.acknowledged)
                listed, document = site.send("GET", "/api/v1/stock?limit=1")
            except (OSError, http.client.HTTPException, ValueError):
                continue  # that host is away
            if status == 404:
                self.stale.append(f"{title} at {site.address}")
            if listed == 200 and not least <= document["data"]["total"] <= self._before + len(self._titles):
                self.stale.append(f"a total of {document['data']['total']} at {site.address}, after {least} acknowledged writes")

    # What is said about it.

    def longest_outage(self, kind):
        """Seconds between the sending of two successes of this kind with nothing but failures between them."""
        longest = last = 0.0
        failed = False
        for outcome in sorted((each for each in self.outcomes if each.kind == kind), key=lambda each: each.sent):
            if outcome.good:
                if failed:
                    longest = max(longest, outcome.sent - last)
                last, failed = outcome.sent, False
            else:
                failed = failed or last > 0
        return longest

    def back_to_normal(self, since):
        """Seconds from then to the last request that failed."""
        return max((outcome.sent - since for outcome in self.outcomes if not outcome.good and outcome.sent > since), default=0.0)

    def missing_and_doubled(self, exported):
        """Of `exported`, the lines of `tradepostctl export stock -`."""
        found = {}
        for line in exported.splitlines():
            item = json.loads(line)
            found.setdefault(item["title"], []).append(item["id"])
        missing = [title for title, number in self.acknowledged.items() if number not in found.get(title, [])]
        doubled = [title for title in [*self.acknowledged, *self.given_up] if len(found.get(title, [])) > 1]
        return missing, doubled

    def line(self, fault, since, exported):
        missing, doubled = self.missing_and_doubled(exported)
        away = sum(outcome.status == 503 for outcome in self.outcomes)
        other = sum(not outcome.good and outcome.status != 503 for outcome in self.outcomes)
        return (f"{fault} | {len(self.outcomes)} | {away} | {other} | {self.longest_outage('read'):.1f} | {self.longest_outage('write'):.1f} | "
                f"{len(missing)} | {len(doubled)} | {len(self.stale)} | {self.back_to_normal(since):.1f}")


HEADER = ("fault | sent | 503 | other failures | longest outage of reads, s | of writes, s | acknowledged writes missing | doubled | "
          "stale reads | time to normal, s")
