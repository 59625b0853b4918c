"""Webhooks: one is made, tested and deleted, and signatures are verified as the reference says."""

import base64
import hashlib
import hmac
import time

from client import refused


def is_genuine(headers, body, secret, now):
    text = b".".join((headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.digest(key, text, hashlib.sha256)).decode()
    return abs(now - int(headers["webhook-timestamp"])) <= 300 and any(
        hmac.compare_digest(expected, each) for each in headers["webhook-signature"].split(" "))


def verifies_signatures(_):
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'
    headers = {"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
               "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}
    assert is_genuine(headers, body, secret, 1614265330)
    assert is_genuine({**headers, "webhook-signature": "v1,AAAA " + headers["webhook-signature"]}, body, secret, 1614265630)
    assert not is_genuine(headers, body, secret, 1614265631)
    assert not is_genuine(headers, body + b" ", secret, 1614265330)
    assert not is_genuine({**headers, "webhook-id": "another"}, body, secret, 1614265330)


def is_told_by_webhooks(world):
    wanted = {"url": "https://receiver.invalid/hook", "events": ["stock.changed", "enquiry.created"]}
    refusal = refused(lambda: world.program.post("/api/v1/webhooks", wanted))
    assert (refusal.status, refusal.headers["WWW-Authenticate"]) == (403, 'Bearer error="insufficient_scope"')
    made = world.admin.post("/api/v1/webhooks", wanted)
    hook, path = made.data, f"/api/v1/webhooks/{made.data['id']}"
    assert made.status == 201 and hook["events"] == wanted["events"] and (hook["active"], hook["disabledReason"], hook["failingSince"]) == (True, None, None)
    assert len(base64.b64decode(hook["secret"].removeprefix("whsec_"))) == 32
    shown = world.admin.get(made.headers["Location"]).data
    assert shown == {name: value for name, value in hook.items() if name != "secret"}
    tested = world.admin.request("POST", f"{path}/test").data
    assert (tested["type"], tested["status"]) == ("webhook.test", "WAITING")
    for _ in range(60):
        deliveries = world.admin.get(f"{path}/deliveries").data
        if deliveries["deliveries"]:
            break
        time.sleep(0.5)
    # The host does not exist, so that the message waits for its next attempt.
    assert [each["id"] for each in deliveries["deliveries"]] == [tested["id"]] and deliveries["waiting"] == 1
    assert world.admin.request("POST", f"{path}/secret").data["secret"] != hook["secret"]
    off = world.admin.request("PATCH", path, {"active": False}).data
    assert (off["active"], off["disabledReason"]) == (False, None)
    refusal = refused(lambda: world.admin.request("POST", f"{path}/test"))
    assert (refusal.status, refusal.error) == (409, "Conflict: the webhook is switched off")
    assert world.admin.request("DELETE", path).data == {"id": hook["id"], "deleted": True}
