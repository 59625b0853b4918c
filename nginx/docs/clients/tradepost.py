"""A client of the Tradepost API in one file, for Python 3.9 and later, with nothing but the standard library.

    from tradepost import Tradepost

    api = Tradepost("https://marketplace.example", os.environ["TOKEN"])
    item = api.stock.create({"reference": "VAN-1", "title": "Ford Transit"})
    file = api.upload("van.jpg")
    api.stock.change(item["id"], {"images": [{"uploadId": file["id"]}]})
    for item in api.stock.each({"status": "PUBLISHED"}):
        print(item["title"])

A refused request is a TradepostError, and so is an answer that shows what the public sees because the token cannot be used. 429 waits for
Retry-After; 500, 502, 503, 504 and broken connections are tried again with a growing pause, where that cannot do anything twice. Methods return `data` of the answer.
"""

import base64
import gzip
import hashlib
import hmac
import http.client
import json
import mimetypes
import os
import random
import re
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

TRANSIENT = (0, 500, 502, 503, 504)
RESOURCES = ("jobs", "stock", "enquiries", "events", "posts", "uploads", "webhooks")


class TradepostError(Exception):
    """A refused request. The text is that of the API, such as "Invalid field: title: is required"; `errors` has all that is wrong, each with
    a `pointer` into the body or a `parameter`, a `code` and a `detail`."""

    def __init__(self, method, path, answer):
        told, ignored = answer.json or {}, answer.header("x-token-ignored")
        # The public's answer, because the token cannot be used.
        super().__init__(f"Token ignored: {ignored}" if ignored else told.get("detail") or told.get("error") or f"HTTP {answer.status}")
        self.errors = told.get("errors") or []
        self.method, self.path, self.answer = method, path, answer
        self.status = 403 if ignored == "scope" else 401 if ignored else answer.status  # 0 without an answer
        self.request_id = answer.header("x-request-id")  # its name in the service's log: quote it in support requests
        wait = answer.header("retry-after")
        self.retry_after = int(wait) if wait else None  # seconds after which the next attempt succeeds


class Answer:
    """An answer: its `data`, its headers, and its text where that is no JSON."""

    def __init__(self, status, headers, body, error=None):
        self.status, self.text = status, body.decode("utf-8", "replace")
        self._headers = {name.lower(): value for name, value in headers.items()}
        try:
            self.json = {"error": error} if error else json.loads(self.text)
        except ValueError:
            self.json = None
        if not isinstance(self.json, dict):
            self.json = None
        self.data = (self.json or {}).get("data")

    def header(self, name):
        return self._headers.get(name.lower())


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Tradepost:
    """`token` is None to read what is public. `retries`: how often a request is tried again; `longest_wait`: longer pauses, in seconds, are
    an error; `timeout`: of one attempt, in seconds; `ca_file`: certificates to trust instead of the system's; `sleep`: what waits."""

    def __init__(self, base, token=None, *, retries=4, longest_wait=120, timeout=60, ca_file=None, sleep=time.sleep):
        self.base, self.token, self._expires_at = base.rstrip("/"), token, None
        self.retries, self.longest_wait, self.timeout, self.sleep = retries, longest_wait, timeout, sleep
        self._opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca_file)), _NoRedirect)
        for name in RESOURCES:
            setattr(self, name, Resource(self, name))

    @classmethod
    def sign_in(cls, base, email, password, code=None, scopes=None, **options):
        """A client with a new token. `code` is that of the second factor, `scopes` what the token may do; None is all."""
        given = {"email": email, "password": password, "code": code, "scopes": scopes}
        body = {name: value for name, value in given.items() if value is not None}
        return cls(base, cls(base, **options).request("POST", "/api/v1/auth", body=body).data["token"], **options)

    def sign_out(self):
        """Revokes the token."""
        self.request("DELETE", "/api/v1/auth")
        self.token = None

    def me(self):
        """The user, their organisations and the token."""
        return self.request("GET", "/api/v1/me").data

    def tokens(self):
        """The user's active tokens, without their values, and how many there may be."""
        return self.request("GET", "/api/v1/me/tokens").data

    def token_expires_at(self):
        """When the token ends, as the last answer said: None while that is more than 14 days away. Then it is time for rotate_token()."""
        return self._expires_at

    def rotate_token(self, overlap_hours=None):
        """Takes a new token in place of this one, and returns it, to be kept. The old one works for another 24 hours, or `overlap_hours`."""
        body = {} if overlap_hours is None else {"overlapHours": overlap_hours}
        # The key says that it may be sent again: what nobody has used ends then.
        self.token = self.request("POST", "/api/v1/me/tokens/rotate", body=body, headers={"Idempotency-Key": uuid.uuid4().hex}).data["token"]
        self._expires_at = None
        return self.token

    def revoke_token(self, token_id):
        self.request("DELETE", _path("me", "tokens", token_id))

    def organisation(self, organisation_id=None):
        """The people, programs and webhooks of an organisation; of the only one of the user when None."""
        return Organisation(self, organisation_id)

    def account(self, organisation_id=None):
        return self.request("GET", "/api/v1/accounts", {"organisationId": organisation_id}).data

    def change_account(self, changes, organisation_id=None):
        return self.request("PATCH", "/api/v1/accounts", {"organisationId": organisation_id}, changes).data

    def register_device(self, token, platform, name=None):
        """Registers a device for notifications; `platform` is IOS, ANDROID or WEB."""
        self.request("POST", "/api/v1/notification_tokens", body={"token": token, "platform": platform, "deviceName": name})

    def devices(self):
        """The user's devices, without their tokens."""
        return self.request("GET", "/api/v1/notification_tokens").data["notificationTokens"]

    def remove_device(self, device_id):
        self.request("DELETE", _path("notification_tokens", device_id))

    def notification_key(self):
        """The key with which a browser subscribes to notifications; None when the service sends it none."""
        return self.request("GET", "/api/v1/notification_tokens/key").data["publicKey"]

    def upload(self, path, content_type=None, organisation_id=None):
        """Uploads a file of up to 50 MiB: announces it, then sends its bytes. Returns the upload, READY."""
        with open(path, "rb") as file:
            content = file.read()
        content_type = content_type or mimetypes.guess_type(path)[0]
        new = {"filename": os.path.basename(path), "contentType": content_type, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        if organisation_id:
            new["organisationId"] = organisation_id
        return self.request("PUT", self.uploads.create(new)["uploadUrl"], content=content, headers={"Content-Type": content_type}).data

    @staticmethod
    def is_genuine(message_id, timestamp, signatures, body, secret):
        """Whether a webhook's request is genuine: the values of its headers webhook-id, webhook-timestamp and webhook-signature, and its body.
        A missing header is None."""
        if not re.fullmatch("[0-9]{1,12}", timestamp or "") or abs(time.time() - int(timestamp)) > 300:
            return False
        body = body.encode() if isinstance(body, str) else body
        code = hmac.digest(base64.b64decode(secret[len("whsec_"):]), f"{message_id}.{timestamp}.".encode() + body, "sha256")
        ours = b"v1," + base64.b64encode(code)
        return any(hmac.compare_digest(ours, each.encode()) for each in (signatures or "").split(" "))

    def request(self, method, path, query=None, body=None, headers=None, content=None):
        """Any request, of operations without a method of their own too. None in `query` is left out, a list repeats its name; `body` becomes
        JSON; `content` are bytes to send instead. Raises TradepostError."""
        headers = {"Accept": "application/json, application/problem+json", "Accept-Encoding": "gzip", "User-Agent": "tradepost.py/1", **(headers or {})}
        pairs = [(name, str(each).lower() if isinstance(each, bool) else each) for name, value in (query or {}).items()
                 for each in (value if isinstance(value, (list, tuple)) else [value]) if each is not None]
        if pairs:
            path += ("&" if "?" in path else "?") + urllib.parse.urlencode(pairs)
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
            headers.setdefault("Content-Type", "application/json")
        repeatable = method != "POST" or "Idempotency-Key" in headers
        attempt = 0
        while True:
            answer = self._send(method, path, content, headers)
            if answer.status:
                self._expires_at = answer.header("x-token-expires-at")
            if answer.header("x-token-ignored"):
                raise TradepostError(method, path, answer)
            if 200 <= answer.status < 400:
                return answer
            again = answer.status == 429 or (repeatable and answer.status in TRANSIENT)
            # Half of the pause is chance, so that many clients do not come back at once.
            wait = max(float(answer.header("retry-after") or 0), 1.0 if answer.status == 429 else 2 ** attempt * random.uniform(0.5, 1))
            if not again or attempt >= self.retries or wait > self.longest_wait:
                raise TradepostError(method, path, answer)
            self.sleep(wait)
            attempt += 1

    def _send(self, method, path, content, headers):
        request = urllib.request.Request(self.base + path, data=content, headers=headers, method=method)
        try:
            try:
                response = self._opener.open(request, timeout=self.timeout)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                received = response.read()
                if response.headers.get("Content-Encoding") == "gzip":
                    received = gzip.decompress(received)
                return Answer(response.status, response.headers, received)
        except (OSError, EOFError, http.client.HTTPException) as error:
            return Answer(0, {}, b"", str(error) or type(error).__name__)


def _path(*parts):
    return "/".join(["/api/v1", *(urllib.parse.quote(part, safe="") for part in parts)])


def _if_match(etag):
    return {"If-Match": etag} if etag else {}


class Resource:
    """Jobs, stock, enquiries, events, posts, uploads or webhooks."""

    def __init__(self, api, name):
        self._api, self._name = api, name

    def list(self, filters=None):
        """One page: total, page, pages, and the rows under the resource's name."""
        return self._api.request("GET", _path(self._name), filters).data

    def each(self, filters=None):
        """Every row, page by page, in the list's order."""
        return iter(Poll(self._api, _path(self._name), self._name, {"limit": 100, **(filters or {})}))

    def poll(self, since=None, filters=None):
        """What changed since the last poll; everything with None, last updated first in your own lists. Keep `since` afterwards and give it
        to the next poll. A row may come twice: compare `id` and `updatedAt`."""
        filters = filters or {}
        own = self._name in ("stock", "enquiries") or (self._api.token and filters.get("organisationId"))
        # In this order a row that changes meanwhile hides no other. Public lists do not have it.
        order = {"sort": "updated"} if since is None and own else {}
        return Poll(self._api, _path(self._name), self._name, {"limit": 100, **order, **filters, "updatedSince": since})

    def deletions(self, since, filters=None):
        """What was deleted since the last poll: begin with `since` of a poll, go on with `since` of this one."""
        return Poll(self._api, _path(self._name, "deletions"), "deletions", {"limit": 100, **(filters or {}), "since": since})

    def get(self, row_id):
        """One row, by its id; of jobs, events and posts also by its slug."""
        return self._api.request("GET", _path(self._name, row_id)).data

    def read(self, row_id, etag=None):
        """One row with its headers: header("etag") is what change(), put() and delete() take. With the ETag of an earlier answer the status
        is 304 and the data None, if the row has not changed since."""
        return self._api.request("GET", _path(self._name, row_id), headers={"If-None-Match": etag} if etag else {})

    def create(self, row, key=None):
        """A new row. `key` makes it safe to call this again after a crash; without one, the call itself is safe to repeat."""
        return self._api.request("POST", _path(self._name), body=row, headers={"Idempotency-Key": key or uuid.uuid4().hex}).data

    def change(self, row_id, changes, etag=None):
        """A merge patch: None clears a field. With `etag` only if nobody else has changed the row: else 412."""
        return self._api.request("PATCH", _path(self._name, row_id), body=changes, headers=_if_match(etag)).data

    def delete(self, row_id, etag=None):
        self._api.request("DELETE", _path(self._name, row_id), headers=_if_match(etag))

    def put(self, reference, row, etag=None):
        """Creates or replaces the row with this reference of yours: what feeds repeat as often as they like."""
        return self._api.request("PUT", _path(self._name, "by-reference", reference), body=row, headers=_if_match(etag)).data

    def get_by_reference(self, reference, organisation_id=None):
        return self._api.request("GET", _path(self._name, "by-reference", reference), {"organisationId": organisation_id}).data

    def change_by_reference(self, reference, changes, etag=None):
        """As change(), of the row with this reference. `organisationId` among the changes names one of several organisations."""
        return self._api.request("PATCH", _path(self._name, "by-reference", reference), body=changes, headers=_if_match(etag)).data

    def delete_by_reference(self, reference, organisation_id=None):
        self._api.request("DELETE", _path(self._name, "by-reference", reference), {"organisationId": organisation_id})

    def feed(self, rows, options=None):
        """Writes all rows in one request, each with its `reference`: all of them or none. Repeating it changes nothing. `options`: mode,
        onError, dryRun, organisationId."""
        lines = "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows).encode()
        return self._api.request("PUT", _path(self._name, "feed"), options, content=lines, headers={"Content-Type": "application/x-ndjson"}).data

    def read_feed(self, organisation_id=None):
        """All rows of the organisation, as feed() takes them."""
        text = self._api.request("GET", _path(self._name, "feed"), {"organisationId": organisation_id}).text
        return [json.loads(line) for line in text.split("\n") if line]

    def facets(self, fields, filters=None):
        """How many rows have each value of these fields."""
        return self._api.request("GET", _path(self._name, "facets"), {"fields": ",".join(fields), **(filters or {})}).data["facets"]

    def verify(self, copy, filters=None):
        """Compares your copy of the list, a dictionary from `id` to `updatedAt`, with the service's digest. Returns `equal`; `missing`, the entries
        that the copy lacks; `changed`, those that it has with another `updatedAt`; and `gone`, its ids that are not in the list. An entry has `id`,
        `reference` and `updatedAt`. Takes one request, and one more for each of the 256 parts that differs. Call it after a
        poll."""
        path, parts = _path(self._name, "digest"), {}
        for row_id, updated_at in copy.items():
            parts.setdefault(row_id[-2:], {})[row_id] = updated_at
        listed = {part["part"]: part["digest"] for part in self._api.request("GET", path, filters).data["parts"]}
        found = {"missing": [], "changed": [], "gone": []}
        for part in sorted(parts.keys() | listed.keys()):
            lines = parts.get(part, {})
            text = "".join(f"{row_id} {updated_at}\n" for row_id, updated_at in sorted(lines.items()))
            if listed.get(part) == hashlib.sha256(text.encode()).hexdigest():
                continue
            # The list has no items in a part without a digest.
            entries = self._api.request("GET", path, {**(filters or {}), "part": part}).data["entries"] if part in listed else []
            found["missing"] += [entry for entry in entries if entry["id"] not in lines]
            found["changed"] += [entry for entry in entries if lines.get(entry["id"], entry["updatedAt"]) != entry["updatedAt"]]
            found["gone"] += sorted(lines.keys() - {entry["id"] for entry in entries})
        return {"equal": not any(found.values()), **found}


class Poll:
    """The rows of a list, read page by page as they are asked for. `since` is for the next poll, once all rows were read."""

    def __init__(self, api, path, name, filters):
        self._api, self._path, self._name, self._filters = api, path, name, filters
        self.since = None

    def __iter__(self):
        path, query, total, restarts = self._path, self._filters, None, 0
        by_position = bool(self._filters.get("updatedSince") or self._filters.get("since"))
        while path:
            answer = self._api.request("GET", path, query)
            self.since = self.since or answer.header("x-next-updated-since")
            # Without a position, rows that came or went have moved the pages.
            if total is not None and answer.data["total"] != total and not by_position and restarts < 5:
                path, query, total, restarts = self._path, self._filters, None, restarts + 1
                continue
            total = answer.data["total"]
            yield from answer.data[self._name]
            found = re.search(r'<([^>]+)>; rel="next"', answer.header("link") or "")
            # The link is an address of this service; its path goes to the address that this client was given.
            path, query = (re.sub(r"^https?://[^/]+", "", found[1]) if found else None), None


class Organisation:
    """The people, programs and webhooks of an organisation. Most of this is for ADMINs, with a token that has no list of scopes."""

    def __init__(self, api, organisation_id):
        self._api, self._id = api, organisation_id

    def _ask(self, method, *parts, body=None, keyed=False):
        headers = {"Idempotency-Key": uuid.uuid4().hex} if keyed else {}
        return self._api.request(method, _path(*parts), {"organisationId": self._id}, body, headers).data

    def members(self):
        return self._ask("GET", "accounts", "members")["members"]

    def change_member(self, user_id, role):
        """`role` is ADMIN or MEMBER."""
        return self._ask("PATCH", "accounts", "members", user_id, body={"role": role})

    def remove_member(self, user_id):
        self._ask("DELETE", "accounts", "members", user_id)

    def invitations(self):
        return self._ask("GET", "accounts", "invitations")["invitations"]

    def invite(self, email, role):
        """Sends an email with a link; whoever opens it becomes a member with this role."""
        return self._ask("POST", "accounts", "invitations", body={"email": email, "role": role}, keyed=True)

    def withdraw_invitation(self, invitation_id):
        self._ask("DELETE", "accounts", "invitations", invitation_id)

    def integrations(self):
        """The programs, each with its active tokens."""
        return self._ask("GET", "accounts", "integrations")["integrations"]

    def add_integration(self, name):
        return self._ask("POST", "accounts", "integrations", body={"name": name}, keyed=True)

    def delete_integration(self, integration_id):
        """Its tokens stop working at once."""
        self._ask("DELETE", "accounts", "integrations", integration_id)

    def make_token(self, integration_id, name, scopes):
        """A new token of an integration; its value, `token`, is told this once. `scopes` is what it may do; None is all."""
        return self._ask("POST", "accounts", "integrations", integration_id, "tokens", body={"name": name, "scopes": scopes})

    def revoke_token(self, integration_id, token_id):
        self._ask("DELETE", "accounts", "integrations", integration_id, "tokens", token_id)

    def failures(self):
        """What failed of the programs in the last 14 days, and how often each token was used on a day: `failures` and `usage`."""
        return self._ask("GET", "accounts", "failures")

    def letters(self):
        """Which emails the user gets."""
        return self._ask("GET", "accounts", "letters")

    def choose_letters(self, enquiry_mail):
        """`enquiry_mail` is AT_ONCE, DAILY or NONE."""
        return self._ask("PATCH", "accounts", "letters", body={"enquiryMail": enquiry_mail})

    def webhooks(self):
        return self._ask("GET", "webhooks")["webhooks"]

    def create_webhook(self, url, events):
        """A new webhook; its `secret` is told this once."""
        return self._ask("POST", "webhooks", body={"url": url, "events": events}, keyed=True)

    def change_webhook(self, webhook_id, changes):
        """Such as {"active": True}."""
        return self._ask("PATCH", "webhooks", webhook_id, body=changes)

    def delete_webhook(self, webhook_id):
        self._ask("DELETE", "webhooks", webhook_id)

    def renew_secret(self, webhook_id):
        """A new `secret`, told this once; the old one signs beside it for 24 hours."""
        return self._ask("POST", "webhooks", webhook_id, "secret")

    def test_webhook(self, webhook_id):
        """Sends a message of type webhook.test."""
        return self._ask("POST", "webhooks", webhook_id, "test")

    def deliveries(self, webhook_id):
        """The messages that were tried last, and how many wait."""
        return self._ask("GET", "webhooks", webhook_id, "deliveries")

    def retry_delivery(self, webhook_id, delivery_id):
        """Sends a message once more."""
        return self._ask("POST", "webhooks", webhook_id, "deliveries", delivery_id, "retry")
