"""Stock: a whole feed as lines of JSON, dry, merged, complete, with faults."""

import json

from client import refused

FEED = "/api/v1/stock/feed"
LINES = {"Content-Type": "application/x-ndjson"}


def item(n, **more):
    return {"reference": f"VAN-{n:03}", "title": f"Ford Transit {n}", "make": "Ford", "model": "Transit", "year": 2022,
            "price": 1450000 + n, "currency": "GBP", "status": "PUBLISHED", **more}


def result(**numbers):
    return {"created": 0, "updated": 0, "unchanged": 0, "archived": 0, "failed": 0, "failures": [], "dryRun": False, **numbers}


def send(api, rows, **query):
    body = rows if isinstance(rows, bytes) else "".join(json.dumps(row) + "\n" for row in rows).encode()
    return api.request("PUT", FEED, body, query, LINES).data


def sends_its_stock(world):
    api, rows = world.program, [item(n) for n in range(200)]
    assert send(api, rows, dryRun="true") == result(created=200, dryRun=True)
    assert api.get("/api/v1/stock").data["total"] == 0
    assert send(api, rows) == result(created=200)
    assert send(api, rows) == result(unchanged=200)
    rows[7]["price"] = 1390000
    assert send(api, rows) == result(updated=1, unchanged=199)
    world.rows = rows


def takes_sold_stock_away(world):
    api, rest = world.program, world.rows[:-1]
    assert send(api, rest, mode="complete", dryRun="true") == result(unchanged=199, archived=1, dryRun=True)
    assert api.get("/api/v1/stock/by-reference/VAN-199").data["status"] == "PUBLISHED"
    assert send(api, rest, mode="complete") == result(unchanged=199, archived=1)
    assert api.get("/api/v1/stock/by-reference/VAN-199").data["status"] == "ARCHIVED"
    # It is listed again by a line that says so.
    assert send(api, world.rows) == result(updated=1, unchanged=199)


def learns_which_lines_are_wrong(world):
    api = world.program
    rows = [item(0, title=""), item(1), item(1), {"title": "No reference"}, item(2, colour="red"),
            item(3, organisationId="00000000-0000-7000-8000-000000000001")]
    found = send(api, rows, onError="skip", dryRun="true")
    failures = found.pop("failures")
    assert found == {key: value for key, value in result(unchanged=1, failed=5, dryRun=True).items() if key != "failures"}, found
    assert [(each["line"], each["reference"]) for each in failures] == [
        (1, "VAN-000"), (3, "VAN-001"), (4, None), (5, "VAN-002"), (6, "VAN-003")]
    assert failures[1]["error"] == "Conflict: reference is that of line 2 too"
    assert failures[2]["error"] == "Invalid field: reference: is required"
    assert failures[3]["error"] == "Unknown field: colour"
    refusal = refused(lambda: send(api, [item(0), item(1, price=-1)]))
    assert (refusal.status, refusal.error.split(": ")[:3]) == (400, ["Line 2", "Invalid field", "price"])
    refusal = refused(lambda: send(api, [item(1, title="x" * (1 << 20))]))
    assert (refusal.status, refusal.error) == (400, "Line 1: Request body too large")
    refusal = refused(lambda: send(api, b"\n"))
    assert (refusal.status, refusal.error) == (400, "Invalid field: body: must not be empty")
    refusal = refused(lambda: api.request("PUT", FEED, {"reference": "VAN-000", "title": "x"}))
    assert (refusal.status, refusal.error) == (415, "Content-Type must be application/x-ndjson")


def reads_its_feed_back(world):
    api = world.program
    whole = api.get(FEED)
    rows = [json.loads(line) for line in whole.body.splitlines()]
    assert [row["reference"] for row in rows] == [f"VAN-{n:03}" for n in range(200)]
    assert send(api, whole.body) == result(unchanged=200)
    unchanged = api.get(FEED, headers={"If-None-Match": whole.headers["ETag"]})
    assert (unchanged.status, unchanged.body) == (304, b"")
