"""Tokens, and what is refused: what each status is, and that a program can go on after it."""

import http.server
import json
import threading

from client import Client, refused

SCOPES = ["enquiries:write", "jobs:write", "stock:write", "uploads:write"]


def has_a_token_with_scopes(world):
    integration = world.admin.post("/api/v1/accounts/integrations", {"name": "Dealer software"}).data
    minted = world.admin.request("POST", f"/api/v1/accounts/integrations/{integration['id']}/tokens", {"name": "First", "scopes": SCOPES[::-1]}).data
    assert minted["scopes"] == SCOPES
    world.integration, world.program = integration["id"], world.nobody.with_token(minted["token"])
    me = world.program.get("/api/v1/me").data
    assert (me["email"], me["token"]["scopes"], me["token"]["expiresAt"]) == (None, SCOPES, minted["expiresAt"])
    assert [(each["id"], each["role"]) for each in me["organisations"]] == [(world.organisation, "MEMBER")]


def is_refused_what_it_may_not(world):
    for client in (world.nobody, world.nobody.with_token("0" * 64), world.nobody.with_token("short")):
        refusal = refused(lambda: client.get("/api/v1/stock"))
        assert (refusal.status, refusal.error, refusal.headers["WWW-Authenticate"]) == (401, "Unauthorized", "Bearer")
    refusal = refused(lambda: world.program.get("/api/v1/accounts"))
    assert (refusal.status, refusal.error) == (403, "Forbidden")
    assert refusal.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope", scope="account:read"'
    narrow = world.admin.request("POST", f"/api/v1/accounts/integrations/{world.integration}/tokens", {"name": "Reader", "scopes": ["stock:read"]}).data
    reader = world.nobody.with_token(narrow["token"])
    refusal = refused(lambda: reader.request("PUT", "/api/v1/stock/by-reference/X", {"title": "x"}))
    assert refusal.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope", scope="stock:write"'
    assert reader.get("/api/v1/jobs").headers["X-Token-Ignored"] == "scope"
    revoke = f"/api/v1/accounts/integrations/{world.integration}/tokens/{narrow['id']}"
    assert world.admin.request("DELETE", revoke).data == {"id": narrow["id"], "deleted": True}
    assert refused(lambda: reader.get("/api/v1/stock")).status == 401


def does_not_overwrite_others(world):
    api = world.program
    read = api.get("/api/v1/stock/by-reference/VAN-003")
    path = f"/api/v1/stock/{read.data['id']}"
    same = api.get(path, headers={"If-None-Match": read.headers["ETag"]})
    assert (same.status, same.body, same.headers["ETag"]) == (304, b"", read.headers["ETag"])
    reserved = api.request("PATCH", path, {"availability": "RESERVED"}, headers={"If-Match": read.headers["ETag"]})
    assert int(reserved.headers["RateLimit-Remaining"]) < int(reserved.headers["RateLimit-Limit"])
    assert api.get(path, headers={"If-None-Match": read.headers["ETag"]}).status == 200
    for expected, error, call in (
        (412, "Precondition failed", lambda: api.request("PATCH", path, {"availability": "SOLD"}, headers={"If-Match": read.headers["ETag"]})),
        (409, "Conflict: reference is used by another item", lambda: api.post("/api/v1/stock", {"reference": "VAN-003", "title": "x"})),
        (409, "Conflict: status cannot change from PUBLISHED to DRAFT", lambda: api.request("PATCH", path, {"status": "DRAFT"})),
        (413, "Request body too large", lambda: api.post("/api/v1/stock", {"reference": "BIG", "title": "x" * (1 << 20)})),
        (404, "Not found", lambda: api.get("/api/v1/stock/00000000-0000-7000-8000-000000000001")),
        (400, "Unknown field: colour", lambda: api.request("PATCH", path, {"colour": "red"})),
    ):
        refusal = refused(call)
        assert (refusal.status, refusal.error) == (expected, error), refusal
    assert api.get(path).data["availability"] == "RESERVED"


class _Limited(http.server.BaseHTTPRequestHandler):
    """Refuses as the reference says: twice for the limit, once for a fault; then it answers."""

    def do_PUT(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen += 1
        status, wait = {1: (429, "7"), 2: (429, "1"), 3: (503, None)}.get(self.server.seen, (200, None))
        body = json.dumps({"data": {}} if status == 200 else {"error": "Too many requests. Please try again later."}).encode()
        self.send_response(status)
        if wait:
            self.send_header("Retry-After", wait)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def waits_as_long_as_it_is_told(_):
    slept = []
    with http.server.HTTPServer(("127.0.0.1", 0), _Limited) as server:
        server.seen = 0
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = Client(f"http://127.0.0.1:{server.server_port}", "0" * 64, slept.append)
        assert client.request("PUT", "/api/v1/stock/feed", b"{}").status == 200
        server.shutdown()
    assert slept == [7, 1, 4], slept


def leaves_nothing_behind(world):
    deleted = world.admin.request("DELETE", f"/api/v1/accounts/integrations/{world.integration}").data
    assert deleted == {"id": world.integration, "deleted": True}
    assert refused(lambda: world.program.get("/api/v1/stock")).status == 401
    assert world.admin.request("DELETE", "/api/v1/auth").data["deleted"] is True
    assert refused(lambda: world.admin.get("/api/v1/me")).status == 401
