"""What others change: polls of stock and deletions, enquiries and jobs."""

from client import refused
from stock import item, send


def new_ones(known, rows):
    """The rows of a poll that are not known yet, which are known then."""
    found = [row for row in rows if known.get(row["id"]) != row["updatedAt"]]
    known.update((row["id"], row["updatedAt"]) for row in rows)
    return found


def follows_changes_and_deletions(world):
    api, path = world.program, "/api/v1/stock"
    rows, since = api.read_list(path, "stock")
    assert len(rows) == 200
    known, deleted_since = {}, since
    new_ones(known, rows)
    # The first poll shows the last 15 minutes once more, page after page.
    again, since = api.poll(path, "stock", since)
    assert (len(again), new_ones(known, again)) == (200, [])
    send(api, [item(n, price=1200000) for n in range(150)])
    found, since = api.poll(path, "stock", since)
    assert sorted(row["reference"] for row in new_ones(known, found)) == [f"VAN-{n:03}" for n in range(150)]
    found, since = api.poll(path, "stock", since)
    assert new_ones(known, found) == []

    refusal = refused(lambda: api.request("DELETE", f"{path}/by-reference/VAN-199"))
    assert (refusal.status, refusal.error) == (403, "Forbidden")
    gone = world.admin.request("DELETE", f"{path}/by-reference/VAN-199").data
    assert gone["deleted"] is True
    deletions, deleted_since = api.poll(f"{path}/deletions", "deletions", deleted_since)
    assert [(row["id"], row["reference"]) for row in deletions] == [(gone["id"], "VAN-199")]
    assert api.poll(f"{path}/deletions", "deletions", deleted_since)[0] == []
    refusal = refused(lambda: api.poll(f"{path}/deletions", "deletions", "2020-01-01T00:00:00Z"))
    assert (refusal.status, refusal.error) == (410, "Gone: start again from the list")


def works_enquiries(world):
    api, path = world.program, "/api/v1/enquiries"
    _, since = api.read_list(path, "enquiries")
    van = api.get("/api/v1/stock/by-reference/VAN-001").data
    enquiry = {"stockId": van["id"], "name": "Sam Buyer", "email": "sam@buyer.example", "message": "Is it still there?"}
    key = {"Idempotency-Key": f"enquiry about {van['id']}".replace(" ", "-")}
    sent = api.request("POST", path, enquiry, headers=key).data
    assert api.request("POST", path, enquiry, headers=key).data == sent
    refusal = refused(lambda: api.request("POST", path, {**enquiry, "name": "Max"}, headers=key))
    assert (refusal.status, refusal.error) == (422, "Idempotency-Key was used with another request")

    found, since = api.poll(path, "enquiries", since)
    assert [(row["id"], row["status"], row["stock"]["reference"]) for row in found] == [(sent["id"], "NEW", "VAN-001")]
    read = api.get(f"{path}/{sent['id']}")
    answered = {"status": "REPLIED", "note": "Answered by mail."}
    # With W/ before it, as a compressed answer has it, it is the same.
    done = api.request("PATCH", f"{path}/{sent['id']}", answered, headers={"If-Match": "W/" + read.headers["ETag"]})
    assert (done.data["status"], done.data["note"]) == ("REPLIED", "Answered by mail.")
    assert done.headers["ETag"] == api.get(f"{path}/{sent['id']}").headers["ETag"] != read.headers["ETag"]
    refusal = refused(lambda: api.request("PATCH", f"{path}/{sent['id']}", {"status": "CLOSED"}, headers={"If-Match": read.headers["ETag"]}))
    assert (refusal.status, refusal.error) == (412, "Precondition failed")
    found, since = api.poll(path, "enquiries", since)
    assert [(row["id"], row["status"]) for row in found] == [(sent["id"], "REPLIED")]


def keeps_jobs_by_reference(world):
    api, path = world.program, "/api/v1/jobs/by-reference/JOB%2F1"
    draft = api.request("PUT", path, {"title": "Parts advisor"})
    assert (draft.status, draft.data["reference"], draft.data["status"]) == (201, "JOB/1", "DRAFT")
    refusal = refused(lambda: api.request("PUT", path, {"title": "Parts advisor", "status": "PUBLISHED"}))
    assert (refusal.status, refusal.error) == (400, "Invalid field: description: is required to publish")
    job = {"title": "Parts advisor", "description": "Look after the counter.", "category": "Parts", "contractType": "PERMANENT", "city": "Leeds", "status": "PUBLISHED"}
    published = api.request("PUT", path, job)
    assert (published.status, published.data["id"], published.data["status"]) == (200, draft.data["id"], "PUBLISHED")
    assert api.get(path).data == published.data
    assert world.nobody.get(f"/api/v1/jobs/{published.data['slug']}").data["title"] == "Parts advisor"
    rows, since = api.read_list("/api/v1/jobs", "jobs", organisationId=world.organisation)
    assert [row["reference"] for row in rows] == ["JOB/1"]
    api.request("PATCH", f"/api/v1/jobs/{draft.data['id']}", {"status": "CLOSED"})
    rows, _ = api.read_list("/api/v1/jobs", "jobs", organisationId=world.organisation, updatedSince=since)
    assert [(row["reference"], row["status"]) for row in rows] == [("JOB/1", "CLOSED")]
