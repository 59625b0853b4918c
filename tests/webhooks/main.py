"""Webhooks from the request that causes a message to a real HTTPS server: signatures, order, failures, and a deliverer that is killed."""
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../mail"))
from receiver import Receiver
from stack import Stack

FOLDER = tempfile.mkdtemp(prefix="tradepost-webhooks.")
NDJSON = {"Content-Type": "application/x-ndjson"}


class Dealer:
    """An ADMIN of an organisation of their own."""

    def __init__(self, stack, receiver, name):
        self.stack, email = stack, f"{name}@dealer.example"
        receiver.forget(f"/{name}")
        stack.add_user(email, name.title(), "correct horse battery")
        stack.control("org", "add", "--name", name.title(), "--slug", name, "--published")
        stack.control("org", "add-member", "--org", name, "--email", email, "--role", "ADMIN")
        self.bearer = {"Authorization": "Bearer " + stack.token(email, "correct horse battery")}

    def ask(self, method, path, body=None, expected=200):
        status, _, data = self.stack.send(method, "/api/v1" + path, body, self.bearer)
        assert status == expected, (method, path, status, data)
        return data

    def create(self, path, body):
        return self.ask("POST", path, body, 201)

    def deliveries(self, webhook, condition):
        end = time.monotonic() + 120
        while not condition(found := self.ask("GET", f"/webhooks/{webhook['id']}/deliveries")):
            assert time.monotonic() < end, found
            time.sleep(0.1)
        return found["deliveries"]


def kill_deliverer(stack):
    """Its supervisor starts it again."""
    with open(f"{stack.state}/sv/deliver/supervise/pid", encoding="ascii") as file:
        os.kill(int(file.read()), signal.SIGKILL)


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
    did("upload.ready", dealer.create("/uploads", {"filename": "a.pdf", "contentType": "application/pdf", "data": "JVBERi0xLjQKdHJhaWxlcgo8PCA+PgolJUVPRgo="}))
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


def main():
    receiver = Receiver(FOLDER)
    stack = Stack(f"{FOLDER}/stack", f'[webhooks]\nallow_networks = ["127.0.0.1"]\ntls_ca = "{receiver.ca}"\n[rate_limits]\nwrite = "60000/1m"\n')
    passed = failed = 0
    only = sys.argv[1:]
    try:
        for test in (everything_arrives_in_order, a_feed_is_told_item_by_item, secrets_deliveries_and_ends, other_addresses_are_not_reached):
            if only and test.__name__ not in only:
                continue
            try:
                test(stack, receiver)
                passed += 1
            except Exception:  # pylint: disable=broad-exception-caught
                print(f"{test.__name__}:\n{traceback.format_exc()}")
                failed += 1
        if failed:
            with open(f"{stack.state}/log/deliver.log", encoding="utf-8", errors="replace") as file:
                print("".join(file.readlines()[-30:]))
    finally:
        stack.manage("down")
        shutil.rmtree(FOLDER, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
