"""Push messages about enquiries, to a push service and a relay of this test: who gets them, what they say, and what follows from an answer."""
import datetime
import email.utils
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../mail"))
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
# pylint: disable=wrong-import-position
from cases import Tally  # noqa: E402
from service import Browser, Service, check_sender, check_signature  # noqa: E402
from stack import Stack  # noqa: E402
from waiting import wait_for  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
FOLDER = tempfile.mkdtemp(prefix="tradepost-push.")
PASSWORD = "correct horse battery"
SECRET = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="


def write(name, text, mode=0o600):
    with open(f"{FOLDER}/{name}", "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(f"{FOLDER}/{name}", mode)
    return f"{FOLDER}/{name}"


def control(config, *arguments):
    return subprocess.run([f"{BUILD}/tradepostctl", "--config", config, *arguments], text=True, capture_output=True, check=False)


class Market:
    """A dealer of two members, and somebody who writes to them, on a running stack."""

    def __init__(self, service):
        self.service = service
        made = control(write("keys.toml", ""), "--json", "push", "key")
        assert made.returncode == 0, made
        self.public_key = json.loads(made.stdout)["publicKey"]
        values = {"public_key": self.public_key, "private_key_file": f"{FOLDER}/keys.push-key", "contact": "mailto:ops@trade.example",
                  "relay_url": service.origin + "/relay", "relay_secret_file": write("relay", SECRET + "\n"),
                  "allow_networks": ["127.0.0.1"], "tls_ca": service.certificate}
        self.stack = Stack(f"{FOLDER}/stack", "[push]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items()))
        self.stack.control("org", "add", "--name", "Ashford & Co", "--slug", "ashford", "--published")
        self.bearers = {}
        for name in ("ada", "bob", "eve"):
            self.stack.add_user(f"{name}@dealer.example", name.title(), PASSWORD)
            self.bearers[name] = {"Authorization": "Bearer " + self.stack.token(f"{name}@dealer.example", PASSWORD)}
        for name in ("ada", "bob"):
            self.stack.control("org", "add-member", "--org", "ashford", "--email", f"{name}@dealer.example", "--role", "MEMBER")
        # Members of another organisation are no members of this one.
        self.stack.control("org", "add", "--name", "Bexhill", "--slug", "bexhill", "--published")
        for name in ("bob", "eve"):
            self.stack.control("org", "add-member", "--org", "bexhill", "--email", f"{name}@dealer.example", "--role", "MEMBER")
        status, _, me = self.stack.send("GET", "/api/v1/me", headers=self.bearers["ada"])
        assert status == 200
        self.organisation = me["organisations"][0]["id"]
        status, _, self.item = self.stack.send("POST", "/api/v1/stock", {
            "reference": "A-1", "title": "2019 Volvo XC40", "price": 1_799_500, "currency": "GBP", "status": "PUBLISHED"}, self.bearers["ada"])
        assert status == 201, self.item

    def register(self, who, token, platform="WEB"):
        answer = self.stack.send("POST", "/api/v1/notification_tokens", {"token": token, "platform": platform}, self.bearers[who])
        assert answer[::2] == (200, {"registered": True}), answer

    def browser(self, who, path):
        browser = Browser(self.service.origin + path)
        self.register(who, browser.subscription())
        return browser

    def enquire(self):
        status, _, enquiry = self.stack.send("POST", "/api/v1/enquiries", {
            "stockId": self.item["id"], "name": "Eve Secret", "email": "eve@home.example", "message": "Is it red?"}, self.bearers["eve"])
        assert status == 201, enquiry
        return enquiry

    def log(self):
        """Of the program that delivers."""
        with open(f"{self.stack.state}/log/deliver.log", encoding="utf-8") as file:
            return file.read()

    def await_log(self, text, before=""):
        """The log, once it says so more often than before."""
        said = lambda log: log if log.count(text) > before.count(text) else None
        log = wait_for(lambda: said(self.log()), 120)
        assert log, f"{text}: {self.log()}"
        return log

    def told(self, enquiry):
        return {"type": "enquiry.created", "timestamp": enquiry["createdAt"],
                "data": {"id": enquiry["id"], "organisationId": self.organisation, "type": "STOCK", "title": "2019 Volvo XC40"}}


def members_browsers_are_told_and_can_read_it(market):
    status, _, key = market.stack.send("GET", "/api/v1/notification_tokens/key", headers=market.bearers["ada"])
    assert (status, key) == (200, {"publicKey": market.public_key}), key
    browsers = {path: market.browser(who, path) for who, path in (("ada", "/1/ada"), ("ada", "/1/ada-2"), ("bob", "/1/bob"))}
    market.browser("eve", "/1/eve")
    market.register("ada", "https://push.example/no-subscription")
    enquiry = market.enquire()
    for path, browser in browsers.items():
        headers, body = market.service.take(path)
        claims = check_sender(headers["Authorization"], market.public_key, market.service.origin)
        assert claims["sub"] == "mailto:ops@trade.example"
        assert headers["Content-Encoding"] == "aes128gcm" and headers["Urgency"] == "normal", headers.items()
        assert 86_300 < int(headers["TTL"]) <= 86_400 and len(headers["Topic"]) == 22, headers.items()
        assert browser.decrypt(body) == market.told(enquiry)
    # The next one comes after whatever this one sends.
    market.enquire()
    for path in browsers:
        market.service.take(path)
    assert not market.service.requests, market.service.requests


def a_busy_service_is_asked_again_when_it_says(market):
    browser = market.browser("ada", "/2/ada")
    # Longer than the outbox would wait by itself.
    market.service.answers["/2/ada"] = [(429, {"Retry-After": "4"}), (503, {})]
    enquiry = market.enquire()
    first, second = market.service.take("/2/ada"), market.service.take("/2/ada")
    waited = float(second[0]["X-Arrived"]) - float(first[0]["X-Arrived"])
    assert waited > 3, waited
    tries = [first, second, market.service.take("/2/ada")]
    assert len({headers["Topic"] for headers, _ in tries}) == 1
    # Each has a key and a salt of its own.
    assert len({body[:16] for _, body in tries}) == len({body[21:86] for _, body in tries}) == 3
    assert all(browser.decrypt(body) == market.told(enquiry) for _, body in tries)


def a_service_is_left_alone_for_six_hours_at_most(market):
    market.browser("ada", "/8/ada")
    market.service.answers["/8/ada"] = [(429, {"Retry-After": "100000000"})]
    before = market.log()
    market.enquire()
    market.service.take("/8/ada")
    market.await_log("not taken now", before)
    waits = int(market.stack.execute("SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(3), MAX(next_at)) FROM outbox_targets"))
    assert 6 * 3600 - 60 < waits <= 6 * 3600, waits


def a_time_to_come_back_may_be_a_date(market):
    browser = market.browser("ada", "/10/ada")
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=20)
    market.service.answers["/10/ada"] = [(503, {"Retry-After": email.utils.format_datetime(then, usegmt=True)}), (408, {})]
    before = market.log()
    enquiry = market.enquire()
    market.service.take("/10/ada")
    market.await_log("not taken now", before)
    waits = int(market.stack.execute("SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(3), MAX(next_at)) FROM outbox_targets WHERE next_at < UTC_TIMESTAMP(3) "
                                     "+ INTERVAL 1 HOUR"))
    assert 600 < waits <= 1200, waits
    market.stack.execute("UPDATE outbox_targets SET next_at = UTC_TIMESTAMP(3) WHERE next_at < UTC_TIMESTAMP(3) + INTERVAL 1 HOUR AND holder IS NULL")
    # A request that took too long for the service may pass, too.
    for _ in range(2):
        assert browser.decrypt(market.service.take("/10/ada")[1]) == market.told(enquiry)


def nobody_is_told_of_what_was_read(market):
    browser = market.browser("ada", "/7/ada")
    market.service.answers["/7/ada"] = [(503, {"Retry-After": "10"})]
    enquiry = market.enquire()
    market.service.take("/7/ada")
    answer = market.stack.send("PATCH", f"/api/v1/enquiries/{enquiry['id']}", {"status": "READ"}, market.bearers["bob"])
    assert answer[0] == 200, answer
    later = market.enquire()
    assert browser.decrypt(market.service.take("/7/ada")[1]) == market.told(later)


def a_subscription_that_ended_is_removed(market):
    for path, status in (("/3/404", 404), ("/3/410", 410)):
        market.browser("ada", path)
        market.service.answers[path] = [(status, {})]
    market.browser("ada", "/3/stays")
    for _ in range(2):
        market.enquire()
        market.service.take("/3/stays")
    market.service.take("/3/404")
    market.service.take("/3/410")
    market.enquire()
    market.service.take("/3/stays")
    assert not [path for path, _, _ in market.service.requests if path in ("/3/404", "/3/410")]


def what_services_say_is_kept_without_secrets(market):
    market.browser("ada", "/9/ada-secret")
    market.register("bob", "apns-secret", "IOS")

    def repeat(path, headers):
        return f'{{"reason": "BadJwtToken",\n"path": "{path}", "authorization": "{headers["Authorization"]}"}}'

    market.service.answers["/9/ada-secret"] = [(403, {}, repeat)]
    market.service.answers["/relay"] = [(400, {}, lambda _path, _headers: "no device apns-secret\x07 " + "here. " * 100)]
    before = market.log()
    market.enquire()
    for path in ("/9/ada-secret", "/relay"):
        market.service.take(path)
    for said in ("no device", "BadJwtToken"):
        market.await_log(said, before)
    listed = json.loads(market.stack.control("outbox", "list", "--state", "dead", "--json"))
    results = {each["status"]: each["result"] for each in listed}
    assert results[403] == 'it was refused; it said: {"reason": "BadJwtToken", "path": "…", "authorization": "…"}', results
    assert results[400].startswith("it was refused; it said: no device …\\x07 here. here.") and len(results[400]) < 240, results
    log = market.log()
    assert "status=403" in log and "ada-secret" not in log and "apns-secret" not in log and "vapid" not in log, log
    market.stack.control("outbox", "drop", "--state", "dead")
    # The next test has a telephone of its own.
    before = market.log()
    market.service.answers["/relay"] = [(410, {})]
    market.enquire()
    market.service.take("/relay")
    market.await_log("the token has ended", before)


def telephones_are_told_by_the_relay(market):
    market.register("bob", "apns-1", "IOS")
    market.service.answers["/relay"] = [(202, {})]
    enquiry = market.enquire()
    headers, body = market.service.take("/relay")
    check_signature(headers, body, SECRET)
    assert headers["Content-Type"] == "application/json"
    sent = json.loads(body)
    assert 86_300 < sent.pop("ttl") <= 86_400 and len(sent.pop("topic")) == 22
    assert sent == {"platform": "IOS", "token": "apns-1", "urgency": "normal", "message": market.told(enquiry)}, sent
    market.service.answers["/relay"] = [(500, {"Retry-After": "1"}), (410, {})]
    market.enquire()
    first, again = (market.service.take("/relay") for _ in range(2))
    assert first[0]["webhook-id"] == again[0]["webhook-id"]
    market.browser("bob", "/4/bob")
    market.enquire()
    market.service.take("/4/bob")
    assert not [path for path, _, _ in market.service.requests if path == "/relay"]


def nobody_reaches_into_the_network(market):
    """Only 127.0.0.1 is allowed here."""
    refused = Browser(market.service.origin.replace("localhost", "[::1]") + "/5/refused")
    market.register("ada", refused.subscription())
    market.browser("ada", "/5/ada")
    market.enquire()
    market.service.take("/5/ada")
    log = market.await_log("the address is not a public one")
    assert "/5/" not in log and "push.example" not in log, "an address of a subscription is a secret"


def former_members_are_told_nothing(market):
    market.browser("ada", "/6/ada")
    market.browser("bob", "/6/bob")
    market.service.answers["/6/bob"] = [(503, {"Retry-After": "10"})]
    market.enquire()
    for path in ("/6/ada", "/6/bob"):
        market.service.take(path)
    before = market.log()
    # Neither of what waits, nor of what comes.
    market.stack.control("org", "remove-member", "--org", "ashford", "--email", "bob@dealer.example")
    market.enquire()
    market.service.take("/6/ada")
    market.await_log("nobody is to be told any more", before)
    assert not [path for path, _, _ in market.service.requests if path == "/6/bob"]


def doctor_looks_at_the_files(market):
    config = f"{market.stack.state}/tradepost.toml"

    def checks():
        return {each["check"]: each["remedy"] for each in json.loads(control(config, "--json", "doctor", "--no-web").stdout)}

    key = f"{FOLDER}/keys.push-key"
    assert os.stat(key).st_mode & 0o777 == 0o600
    found = checks()
    for what in (f"key of push messages {key}", f"nobody else reads {key}", f"secret of the relay {FOLDER}/relay",
                 f"nobody else reads {FOLDER}/relay"):
        assert found[what] is None, found
    os.chmod(key, 0o604)
    write("relay", "secret\n", 0o644)
    found = checks()
    assert found[f"nobody else reads {key}"] == f"chmod o-rwx {key}", found
    assert "must be whsec_" in found[f"secret of the relay {FOLDER}/relay"], found
    assert found[f"nobody else reads {FOLDER}/relay"], found
    again = control(f"{FOLDER}/keys.toml", "push", "key")
    assert again.returncode == 1 and "keys.push-key: is there" in again.stderr, again
    os.rename(key, key + ".old")
    assert "cannot be read" in checks()[f"key of push messages {key}"]
    other = control(f"{FOLDER}/keys.toml", "push", "key")
    assert other.returncode == 0 and other.stdout.startswith('[push]\npublic_key = "B'), other
    assert "is not the key of [push] public_key" in checks()[f"key of push messages {key}"]
    wrong = write("networks.toml", '[push]\nallow_networks = ["any"]\n')
    assert "push.allow_networks: any is no network" in control(wrong, "config", "check").stderr


def main():
    service = Service(FOLDER)
    market = Market(service)
    tally = Tally()
    try:
        for test in (members_browsers_are_told_and_can_read_it, a_busy_service_is_asked_again_when_it_says,
                     a_service_is_left_alone_for_six_hours_at_most, a_time_to_come_back_may_be_a_date, nobody_is_told_of_what_was_read, a_subscription_that_ended_is_removed,
                     what_services_say_is_kept_without_secrets, telephones_are_told_by_the_relay, nobody_reaches_into_the_network, former_members_are_told_nothing,
                     doctor_looks_at_the_files):
            tally.run(test.__name__, lambda test=test: test(market))
    finally:
        market.stack.manage("down")
    service.stop()
    shutil.rmtree(FOLDER)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
