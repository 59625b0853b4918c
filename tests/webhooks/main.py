"""Webhooks from the request that causes a message to a real HTTPS server: signatures, order, failures, and a deliverer that is killed. And what
else the deliverer does after a request."""
import concurrent.futures
import contextlib
import datetime
import email.utils
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../mail"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from cases import TIMING, Tally, slow
from fairness import a_feed_with_many_webhooks_holds_up_nobody, slow_receivers_hold_up_no_letter
from isolated import with_host, with_system_certificate, without_dns
from receiver import Receiver
from server import Server
from stack import BUILD, Stack
from waiting import limit, wait_for

FOLDER = tempfile.mkdtemp(prefix="tradepost-webhooks.")
NDJSON = {"Content-Type": "application/x-ndjson"}


class Dealer:
    """An ADMIN of an organisation of their own."""

    def __init__(self, stack, receiver, name):
        self.stack, self.email = stack, f"{name}@dealer.example"
        if receiver:
            receiver.forget(f"/{name}")
        stack.add_user(self.email, name.title(), "correct horse battery")
        stack.control("org", "add", "--name", name.title(), "--slug", name, "--published")
        stack.control("org", "add-member", "--org", name, "--email", self.email, "--role", "ADMIN")
        self.bearer = {"Authorization": "Bearer " + stack.token(self.email, "correct horse battery")}

    def ask(self, method, path, body=None, expected=200):
        status, _, data = self.stack.send(method, "/api/v1" + path, body, self.bearer)
        assert status == expected, (method, path, status, data)
        return data

    def create(self, path, body):
        return self.ask("POST", path, body, 201)

    def deliveries(self, webhook, condition):
        end = time.monotonic() + limit(120)
        while not condition(found := self.ask("GET", f"/webhooks/{webhook['id']}/deliveries")):
            assert time.monotonic() < end, found
            time.sleep(0.1)
        return found["deliveries"]


def kill_deliverer(stack):
    """Its supervisor starts it again."""
    with open(f"{stack.state}/sv/deliver/supervise/pid", encoding="ascii") as file:
        os.kill(int(file.read()), signal.SIGKILL)


@contextlib.contextmanager
def deliverer_within(stack, isolate, *arguments):
    """The stack's deliverer as `isolate` runs it; afterwards as before."""
    subprocess.run(["sv", "-w", str(int(limit(60))), "down", f"{stack.state}/sv/deliver"], check=True, capture_output=True)
    with open(f"{stack.state}/log/deliver.log", "ab") as log, subprocess.Popen(
            isolate(*arguments, [f"{BUILD}/tradepost-deliver", "--config", f"{stack.state}/tradepost.toml"]), stderr=log) as deliverer:
        try:
            yield
        finally:
            deliverer.terminate()
    subprocess.run(["sv", "up", f"{stack.state}/sv/deliver"], check=True, capture_output=True)


def first_of_each(messages):
    seen = {}
    for message in messages:
        seen.setdefault(message.id, message)
    return list(seen.values())


def everything_arrives_in_order(stack, receiver):
    dealer = Dealer(stack, receiver, "ashford")
    webhook = dealer.create("/webhooks", {"url": receiver.url(), "events": ["stock.changed", "job.changed", "enquiry.created", "upload.ready"]})
    receiver.answer = 503
    expected = []

    def did(type_, data):
        expected.append((type_, data["id"], data.get("updatedAt")))
        return data

    item = did("stock.changed", dealer.create("/stock", {"reference": "W", "title": "Winch"}))
    first = receiver.await_that(lambda all_: len(all_) >= 3 and all_[0])
    for number in range(12):
        did("stock.changed", dealer.ask("PATCH", f"/stock/{item['id']}", {"title": f"Winch {number}"}))
    job = did("job.changed", dealer.create("/jobs", {"title": "Fitter"}))
    did("upload.ready", dealer.create("/uploads", {"filename": "a.pdf", "contentType": "application/pdf", "data": "JVBERi0xLjQKMSAwIG9iaiA8PC9QYWdlcyAyIDAgUj4+IGVuZG9iagoyIDAgb2JqIDw8L0tpZHMgWzMgMCBSXS9Db3VudCAxPj4gZW5kb2JqCjMgMCBvYmogPDwvVHlwZS9QYWdlPj4gZW5kb2JqCnRyYWlsZXIgPDwvUm9vdCAxIDAgUj4+CiUlRU9GCg=="}))
    shown = did("stock.changed", dealer.create("/stock", {"reference": "V", "title": "Van", "price": 1, "currency": "GBP", "status": "PUBLISHED"}))
    did("enquiry.created", dealer.create("/enquiries", {"stockId": shown["id"], "name": "Sam", "email": "s@a.example", "message": "Still there?"}))
    dealer.ask("DELETE", f"/jobs/{job['id']}")
    dealer.ask("DELETE", f"/stock/{item['id']}")
    expected += [("job.deleted", job["id"], None), ("stock.deleted", item["id"], None)]

    # While it fails, the same message comes again and no other one does.
    assert {message.id for message in receiver.received} == {first.id}
    (failing,) = dealer.deliveries(webhook, lambda found: found["deliveries"])
    assert (failing["id"], failing["status"], failing["responseStatus"], failing["error"]) == (first.id, "WAITING", 503, "it answered an error")
    assert dealer.ask("GET", f"/webhooks/{webhook['id']}")["failingSince"]
    # The operator reads what the receiver said; a dealer might have it fetched from the operator's own network.
    (told,) = {each["result"] for each in json.loads(stack.control("outbox", "list", "--json", "--target", f"webhook {webhook['id']}")) if each["result"]}
    assert told == r'it answered an error; it said: {"error": "maintenance"}\x1b', told

    # It recovers; the deliverer is killed while a message is on its way, and once more.
    killed = []

    def slow(message):
        if len(killed) < 2 and len(first_of_each(receiver.received)) > 4 * (len(killed) + 1):
            killed.append(message.id)
            kill_deliverer(stack)
            time.sleep(0.5)  # its answer comes to nobody
        return 204

    receiver.answer = slow
    receiver.await_that(lambda all_: len(first_of_each(all_)) >= len(expected), 400)
    told = [(each.json["type"], each.json["data"]["id"], each.json["data"].get("updatedAt")) for each in first_of_each(receiver.received)]
    assert [(a, b) for a, b, _ in told] == [(a, b) for a, b, _ in expected], told
    assert [each for each in told if each[0] == "stock.changed"] == [each for each in expected if each[0] == "stock.changed"], told
    for message in receiver.received:
        assert message.signatures(webhook["secret"]) == 1 and message.headers["Content-Type"] == "application/json"
    assert len(killed) == 2
    for each in killed:
        assert [message.id for message in receiver.received].count(each) > 1, "what was not answered is sent again"
    # What comes again comes before anything later.
    order = [message.id for message in receiver.received]
    positions = {message.id: number for number, message in enumerate(first_of_each(receiver.received))}
    assert [positions[each] for each in order] == sorted(positions[each] for each in order), order
    dealer.deliveries(webhook, lambda found: found["waiting"] == 0)
    assert dealer.ask("GET", f"/webhooks/{webhook['id']}")["failingSince"] is None

    # What is told is what GET shows.
    receiver.forget()
    shown = dealer.ask("PATCH", f"/stock/{shown['id']}", {"status": "ARCHIVED"})
    assert receiver.await_that(lambda all_: all_ and all_[0]).json["data"] == dealer.ask("GET", f"/stock/{shown['id']}") == shown


def a_feed_is_told_item_by_item(stack, receiver):
    dealer = Dealer(stack, receiver, "birch")
    receiver.answer = 200
    dealer.create("/webhooks", {"url": receiver.url(), "events": ["stock.changed"]})
    lines = "".join(f'{{"reference": "{number}", "title": "Item {number}"}}\n' for number in range(300)).encode()
    status, _, data = stack.send_bytes("PUT", "/api/v1/stock/feed", lines, {**dealer.bearer, **NDJSON})
    assert (status, data["created"]) == (200, 300), data
    receiver.await_that(lambda all_: len(first_of_each(all_)) == 300, 400)
    assert {each.json["data"]["reference"] for each in receiver.received} == {str(number) for number in range(300)}


def secrets_deliveries_and_ends(stack, receiver):
    dealer = Dealer(stack, receiver, "cedar")
    receiver.answer = 204
    webhook = dealer.create("/webhooks", {"url": receiver.url("?key=a%20b"), "events": ["job.changed"]})
    path, secrets = f"/webhooks/{webhook['id']}", [webhook["secret"]]

    def test():
        receiver.forget()
        delivery = dealer.ask("POST", f"{path}/test")
        message = receiver.await_that(lambda all_: all_ and all_[0])
        assert message.id == delivery["id"] and message.path == "/cedar?key=a%20b"
        assert message.json["type"] == "webhook.test" and message.json["data"]["webhookId"] == webhook["id"]
        return message

    assert test().signatures(*secrets) == 1
    secrets.append(dealer.ask("POST", f"{path}/secret")["secret"])
    message = test()
    assert message.signatures(*secrets) == 2
    # Once more under the same id.
    dealer.deliveries(webhook, lambda found: found["waiting"] == 0)
    dealer.ask("POST", f"{path}/deliveries/{message.id}/retry")
    receiver.await_that(lambda all_: [each.id for each in all_] == [message.id] * 2)

    # A redirect is followed nowhere.
    receiver.answer = 302
    test()
    failed = dealer.deliveries(webhook, lambda found: found["deliveries"][0]["responseStatus"] == 302)[0]
    assert (failed["status"], failed["error"]) == ("WAITING", "it answered a redirect, which is not followed"), failed
    assert {each.path for each in receiver.received} == {"/cedar?key=a%20b"}

    # 410 is the end; nothing that waited is sent.
    dealer.create("/jobs", {"title": "Fitter"})
    receiver.answer = 410
    dealer.deliveries(webhook, lambda found: found["deliveries"][0]["responseStatus"] == 410 and found["waiting"] == 0)
    gone = dealer.ask("GET", path)
    assert (gone["active"], gone["disabledReason"]) == (False, "GONE"), gone
    assert dealer.ask("POST", f"{path}/test", expected=409) == "Conflict: the webhook is switched off"
    receiver.answer = 204
    receiver.forget()
    dealer.create("/jobs", {"title": "Painter"})
    assert dealer.ask("PATCH", path, {"active": True})["disabledReason"] is None
    told = dealer.create("/jobs", {"title": "Welder"})
    assert receiver.await_that(lambda all_: all_ and all_[0]).json["data"]["id"] == told["id"]


def a_busy_receiver_is_left_alone_as_it_asks(stack, receiver):
    dealer = Dealer(stack, receiver, "maple")
    webhook = dealer.create("/webhooks", {"url": receiver.url(), "events": ["job.changed"]})
    at = lambda seconds: email.utils.format_datetime(datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds), usegmt=True)
    for status, header, least, most in ((429, "120", 120 - limit(20), 120), (503, at(120), 120 - limit(60), 120), (503, "100000000", 6 * 3600 - limit(60), 6 * 3600),
                                        (429, at(30 * 86400), 6 * 3600 - limit(60), 6 * 3600), (503, "soon", -1, 2), (503, at(-3600), -1, 2)):
        receiver.forget()
        # The second answer is for those that are not left alone.
        receiver.answer = lambda _, answers=iter([(status, {"Retry-After": header})]): next(answers, 204)
        delivery = dealer.ask("POST", f"/webhooks/{webhook['id']}/test")
        receiver.await_that(lambda all_: all_)
        if most > 2:
            dealer.deliveries(webhook, lambda found: any(each["id"] == delivery["id"] and each["responseStatus"] == status for each in found["deliveries"]))
            target = f"target = 'webhook {webhook['id']}'"
            waits = int(stack.execute(f"SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(3), next_at) FROM outbox_targets WHERE {target}"))
            assert least <= waits <= most, (status, header, waits)
            assert len(receiver.received) == 1, receiver.received
            stack.execute(f"UPDATE outbox_targets SET next_at = UTC_TIMESTAMP(3) WHERE {target}")
        receiver.await_that(lambda all_: [each.id for each in all_] == [delivery["id"]] * 2)
        dealer.deliveries(webhook, lambda found: found["waiting"] == 0)


def a_test_organisation_gets_messages_twice_and_in_another_order(stack, receiver):
    dealer = Dealer(stack, receiver, "sandpit")
    receiver.answer = 204
    webhook = dealer.create("/webhooks", {"url": receiver.url(), "events": ["job.changed"]})
    stack.control("org", "test", "--org", "sandpit")
    dealer.bearer["X-Test-Fault"] = "duplicate-webhook"
    twice = dealer.create("/jobs", {"title": "Twice"})["id"]
    first, second = receiver.await_that(lambda all_: len(all_) == 2 and all_)
    assert first.id == second.id and first.body == second.body and first.json["data"]["id"] == twice
    found = dealer.deliveries(webhook, lambda found: found["waiting"] == 0 and found["deliveries"])[0]
    assert (found["id"], found["status"], found["responseStatus"]) == (first.id, "DELIVERED", 204), found

    receiver.forget()
    dealer.bearer["X-Test-Fault"] = "reorder-webhooks"
    later = dealer.create("/jobs", {"title": "Overtaken"})["id"]
    del dealer.bearer["X-Test-Fault"]
    sooner = dealer.create("/jobs", {"title": "Sooner"})["id"]
    receiver.await_that(lambda all_: [each.json["data"]["id"] for each in all_] == [sooner, later])


def an_international_name_is_reached(stack, receiver):
    dealer = Dealer(stack, receiver, "nettle")
    receiver.answer = 204
    url = f"https://bücher.example:{receiver.port}/nettle/größe?q=ü"
    webhook = dealer.create("/webhooks", {"url": url, "events": ["job.changed"]})
    assert webhook["url"] == url
    with deliverer_within(stack, with_host, FOLDER, "xn--bcher-kva.example"):
        delivery = dealer.ask("POST", f"/webhooks/{webhook['id']}/test")
        message = receiver.await_that(lambda all_: all_ and all_[0])
        assert (message.id, message.path) == (delivery["id"], "/nettle/gr%C3%B6%C3%9Fe?q=%C3%BC"), message.path
        assert message.headers["Host"] == f"xn--bcher-kva.example:{receiver.port}", message.headers.items()
        dealer.deliveries(webhook, lambda found: found["waiting"] == 0)
    assert dealer.ask("GET", f"/webhooks/{webhook['id']}")["url"] == url
    for name in ("☕.example", "ü_b.example"):
        answer = dealer.ask("POST", "/webhooks", {"url": f"https://{name}/", "events": ["job.changed"]}, 400)
        assert answer == "Invalid field: url: must be an https URL", answer


def other_addresses_are_not_reached(stack, receiver):
    dealer = Dealer(stack, receiver, "dunn")
    receiver.answer = 204
    for address, why in (("127.0.0.2", "the address is not a public one"), ("10.0.0.1", "the address is not a public one"),
                         ("nobody.invalid", "the host's name is not known")):
        webhook = dealer.create("/webhooks", {"url": f"https://{address}:{receiver.port}/dunn", "events": ["job.changed"]})
        dealer.ask("POST", f"/webhooks/{webhook['id']}/test")
        failed = dealer.deliveries(webhook, lambda found: found["deliveries"])[0]
        assert failed["responseStatus"] is None and failed["error"] in (why, "no answer within 10 seconds"), failed
        dealer.ask("DELETE", f"/webhooks/{webhook['id']}")
    assert not receiver.received


def only_the_named_ca_is_trusted(stack, receiver):
    dealer = Dealer(stack, receiver, "elm")
    receiver.answer = 204
    os.makedirs(f"{FOLDER}/other")
    other = Receiver(f"{FOLDER}/other")
    other.path = "/elm"
    hook = {"events": ["job.changed"]}
    trusted, untrusted = (dealer.create("/webhooks", {"url": each.url(), **hook}) for each in (receiver, other))
    with deliverer_within(stack, with_system_certificate, FOLDER, other.ca):
        dealer.ask("POST", f"/webhooks/{untrusted['id']}/test")
        (failed,) = dealer.deliveries(untrusted, lambda found: found["deliveries"])
        assert (failed["error"] or "").startswith("the certificate is not valid"), failed
        dealer.ask("POST", f"/webhooks/{trusted['id']}/test")
        receiver.await_that(lambda all_: all_)
    assert not other.received
    other.stop()


@slow
def a_name_that_is_not_answered_takes_no_longer_than_a_receiver(stack, receiver):
    dealer = Dealer(stack, receiver, "fir")
    webhook = dealer.create("/webhooks", {"url": "https://receiver.example/fir", "events": ["job.changed"]})
    with deliverer_within(stack, without_dns, FOLDER):
        dealer.ask("POST", f"/webhooks/{webhook['id']}/test")
        (failed,) = dealer.deliveries(webhook, lambda found: found["deliveries"])
        assert failed["error"] == "no answer within 10 seconds", failed
        took = at(failed["attemptedAt"]) - at(failed["createdAt"])
        assert not TIMING or took.total_seconds() < 30, took  # 10 as a rule
    dealer.ask("DELETE", f"/webhooks/{webhook['id']}")


def at(time_):
    return datetime.datetime.fromisoformat(time_)


def await_that(condition):
    assert wait_for(condition, 120), condition


def a_new_name_is_found_although_the_deliverer_is_killed(stack, _):
    dealer = Dealer(stack, None, "hazel")
    lines = "".join(f'{{"reference": "{number}", "title": "Fitter {number}"}}\n' for number in range(3000)).encode()
    status, _, data = stack.send_bytes("PUT", "/api/v1/jobs/feed", lines, {**dealer.bearer, **NDJSON})
    assert (status, data["created"]) == (200, 3000), data
    organisation = dealer.ask("GET", "/accounts")["id"]
    found = lambda word: dealer.ask("GET", f"/jobs?organisationId={organisation}&q={word}&limit=1")
    assert found("hazel")["total"] == 3000

    for name in ("Alder", "Hawthorn"):
        assert dealer.ask("PATCH", "/accounts", {"name": name})["name"] == name
        # Shown at once, whatever it is found by.
        assert dealer.ask("GET", f"/jobs?organisationId={organisation}&limit=1")["jobs"][0]["organisation"]["name"] == name
    await_that(lambda: found("hazel")["total"] < 3000)
    kill_deliverer(stack)
    await_that(lambda: found("hawthorn")["total"] == 3000)
    assert found("hazel")["total"] == found("alder")["total"] == 0


def what_a_deleted_integration_sent_stays_counted(stack, _):
    dealer = Dealer(stack, None, "rowan")
    organisation = dealer.ask("GET", "/accounts")["id"]
    integration = dealer.create("/accounts/integrations", {"name": "Feed"})
    path = f"/accounts/integrations/{integration['id']}"
    token = dealer.create(f"{path}/tokens", {"name": "May"})["token"]
    for _ in range(5):
        status, _, data = stack.send("POST", "/api/v1/enquiries", {"organisationId": organisation, "name": "S", "message": "?"},
                                     {"Authorization": f"Bearer {token}"})
        assert status == 201 and data["fromUserId"] == integration["id"], data
    _, headers, data = stack.send("GET", "/api/v1/enquiries?updatedSince=2026-01-01T00:00:00Z", None, dealer.bearer)
    assert data["total"] == 5
    since = headers["X-Next-Updated-Since"]

    dealer.ask("DELETE", path)
    assert stack.send("GET", "/api/v1/me", None, {"Authorization": f"Bearer {token}"})[0] == 401
    poll = lambda: [each["fromUserId"] for each in dealer.ask("GET", f"/enquiries?updatedSince={since}")["enquiries"]]
    await_that(lambda: poll() == [None] * 5)
    await_that(lambda: stack.execute(f"SELECT COUNT(*) FROM users WHERE id = UNHEX('{integration['id'].replace('-', '')}')").strip() == "0")
    assert json.loads(stack.control("recount", "--totals", "--json"))["wrongTotals"] == 0


def others_write_while_organisations_are_imported(stack, _):
    dealer = Dealer(stack, None, "willow")
    job = dealer.create("/jobs", {"title": "Fitter"})
    lines = "".join(json.dumps({"slug": f"imported-{number}", "name": f"Imported {number}"}) + "\n" for number in range(20000))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        imported = pool.submit(stack.control, "import", "organisations", "-", text=lines)
        written = 0
        while not imported.done():
            written += 1
            dealer.ask("PATCH", f"/jobs/{job['id']}", {"summary": f"Change {written}"})
    assert "20000 added" in imported.result() and written > 1, written


def main():
    receiver = Receiver(FOLDER)
    mail = Server(FOLDER, tls=False).start()
    stack = Stack(f"{FOLDER}/stack", f'[webhooks]\nallow_networks = ["127.0.0.1"]\ntls_ca = "{receiver.ca}"\n[rate_limits]\nwrite = "60000/1m"\n'
                                     f'[mail]\nsmtp = "smtp://localhost:{mail.port}"\nfrom = "post@trade.example"\n')
    tally, only = Tally(), sys.argv[1:]
    fair = (a_feed_with_many_webhooks_holds_up_nobody, slow_receivers_hold_up_no_letter)
    try:
        for test in (everything_arrives_in_order, a_feed_is_told_item_by_item, secrets_deliveries_and_ends,
                     a_busy_receiver_is_left_alone_as_it_asks, a_test_organisation_gets_messages_twice_and_in_another_order, an_international_name_is_reached, other_addresses_are_not_reached,
                     only_the_named_ca_is_trusted, a_name_that_is_not_answered_takes_no_longer_than_a_receiver,
                     a_new_name_is_found_although_the_deliverer_is_killed, what_a_deleted_integration_sent_stays_counted,
                     others_write_while_organisations_are_imported, *fair):
            if only and test.__name__ not in only:
                continue
            more = (lambda name: Dealer(stack, receiver, name), mail) if test in fair else ()
            tally.run(test.__name__, lambda test=test, more=more: test(stack, receiver, *more))
        if tally.failed:
            with open(f"{stack.state}/log/deliver.log", encoding="utf-8", errors="replace") as file:
                print("".join(file.readlines()[-30:]))
    finally:
        stack.manage("down")
        mail.stop()
        shutil.rmtree(FOLDER, ignore_errors=True)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
