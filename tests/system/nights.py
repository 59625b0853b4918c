"""The feed that a dealer's software sends each night, what it should find afterwards, and a night that is killed half-way."""
import json
import re
import subprocess
import threading

from host import equal, expect, north, said, wait_until

ITEMS = 3000


def reference(number):
    return f"V-{number:04}"


def edition_of(name, first):
    """As many items as ever, from a number on; the new ones come first. What the edition before had below that number is sold."""
    return {reference(number): f"Van {number}, {name}" for number in reversed(range(first, first + ITEMS))}


def counts(**changed):
    return {"created": 0, "updated": 0, "unchanged": 0, "archived": 0, "failed": 0, "failures": [], "dryRun": False, **changed}


class Feed:
    """With the token of an integration. `stock` is what was taken: title and status by reference. Each poll goes on from the one before."""

    def __init__(self, token):
        self.headers = {"Authorization": f"Bearer {token}"}
        self.stock, self.since = {}, None

    def send(self, titles, mode="complete"):
        lines = "".join(json.dumps({"reference": each, "title": title, "price": 100, "currency": "GBP", "status": "PUBLISHED"}) + "\n"
                        for each, title in titles.items())
        return north.call("PUT", f"/api/v1/stock/feed?mode={mode}", lines, {**self.headers, "Content-Type": "application/x-ndjson"})

    def takes(self, titles, mode="complete", **changed):
        """The feed is answered with exactly these counts, readers see exactly it, and a poll exactly what it changed."""
        equal(self.send(titles, mode).data(), counts(**changed), "what the feed did")
        before = self.stock
        self.stock = {each: (title, "ARCHIVED" if mode == "complete" else status) for each, (title, status) in before.items()}
        self.stock |= {each: (title, "PUBLISHED") for each, title in titles.items()}
        self.is_all_there()
        if self.since:
            self.sees_changes({each: item for each, item in self.stock.items() if before.get(each) != item})

    def begins_to_poll(self):
        """The list's own value lies a quarter of an hour back, so that the first poll after it may show again what the list had."""
        self.since = north.served("GET", "/api/v1/stock", headers=self.headers).headers["X-Next-Updated-Since"]
        self.sees_changes(self.stock)

    def is_all_there(self):
        """In the feed's own format, which is read as of one moment."""
        items = [json.loads(line) for line in north.served("GET", "/api/v1/stock/feed", headers=self.headers).body.splitlines()]
        same(((item["reference"], (item["title"], item["status"])) for item in items), self.stock)

    def sees_changes(self, changed, deleted=()):
        since, self.since = self.since, None
        path, found = f"/api/v1/stock?limit=100&updatedSince={since}", []
        while path:
            answer = north.served("GET", path, headers=self.headers)
            found += [(item["reference"], (item["title"], item["status"])) for item in answer.data()["stock"]]
            self.since = self.since or answer.headers["X-Next-Updated-Since"]
            following = re.search(r'<https://[^/]+([^>]*)>; rel="next"', answer.headers["Link"] or "")
            path = following and following[1]
        same(found, changed)
        gone = north.served("GET", f"/api/v1/stock/deletions?since={since}", headers=self.headers).data()["deletions"]
        equal([each["reference"] for each in gone], list(deleted), "deletions")


def same(found, expected):
    """Says what differs, and not all that there is. Nothing may be there twice."""
    found = list(found)
    by_reference = dict(found)
    equal(len(found), len(by_reference), "items, and references among them")
    differ = sorted(each for each in by_reference.keys() | expected.keys() if by_reference.get(each) != expected.get(each))
    expect(not differ, f"{len(differ)} items differ, first {[(each, by_reference.get(each), expected.get(each)) for each in differ[:3]]}")


def killed_night(feed, name, first, kill, status):
    """Sends an edition whose last item is locked, and calls `kill` when half of it is written: nothing of it is seen, neither before nor
    afterwards, and it is taken when it is sent again."""
    titles = edition_of(name, first)
    holder = subprocess.Popen(["mariadb", "--unbuffered", "tradepost_north"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    answers = []
    sender = threading.Thread(target=lambda: answers.append(feed.send(titles)))
    # What the feed's transaction has written so far, which nobody else sees.
    written = f"SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; SELECT COUNT(*) FROM stock_items WHERE title LIKE '%, {name}'"
    try:
        holder.stdin.write("BEGIN; SELECT 'held' FROM stock_items WHERE organisation_id = (SELECT id FROM organisations) AND "
                           f"reference = '{reference(first)}' FOR UPDATE; SELECT 'asked';\n")
        holder.stdin.flush()
        expect(holder.stdout.readline() and holder.stdout.readline() == "held\n", "the item is held")
        sender.start()
        wait_until(lambda: answers or int(said(f'mariadb -N tradepost_north -e "{written}"')) > ITEMS // 2, "half of the feed is written")
        expect(not answers, f"{answers and (answers[0].status, answers[0].body[:200])}")
        feed.is_all_there()
        # Polls go on, up to the beginning of the feed and no further: the first one after the feed finds all of it.
        feed.sees_changes({})
        kill()
    finally:
        holder.kill()
        holder.wait()
        if sender.ident:
            sender.join()
    equal(answers[0].status, status, "what its sender is told")
    north.wait_ready()
    feed.is_all_there()
    feed.sees_changes({})
    feed.takes(titles, created=10, updated=ITEMS - 10, archived=10)
