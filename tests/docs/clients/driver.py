"""Does what a line of standard input says with the client for Python, and answers each with a line. See ../clients.test.mjs."""

import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["BUILD"] + "/www/docs")

from tradepost import Poll, Tradepost, TradepostError  # noqa: E402


def snake(name):
    return re.sub("[A-Z]", lambda found: "_" + found[0].lower(), name)


def value(api, given, options):
    call, arguments = given["call"], given["args"]
    if call == "signIn":
        return {"token": Tradepost.sign_in(given["base"], arguments[0], arguments[1], scopes=(arguments + [None])[2], **options).token}
    if call == "rotateToken":
        # The old token's expiry is no longer told, and the new one is used.
        return {"token": api.rotate_token(*arguments), "expiresAt": api.token_expires_at(), "me": api.me()}
    if call == "tokenExpiresAt":
        return (api.me(), api.token_expires_at())[1]
    name, _, method = call.partition(".")
    target = api
    if method:
        target = api.organisation(given.get("organisation")) if name == "organisation" else getattr(api, name)
    made = getattr(target, snake(method or name))(*arguments)
    if method == "read":
        return {"status": made.status, "data": made.data, "etag": made.header("etag")}
    if isinstance(made, Poll) or hasattr(made, "__next__"):
        return {"rows": list(made), "since": getattr(made, "since", None)}
    return made


for line in sys.stdin:
    given, slept = json.loads(line), []
    options = {"ca_file": os.environ["CA_FILE"], "sleep": slept.append}
    try:
        answer = {"value": value(Tradepost(given["base"], given.get("token"), **options), given, options)}
    except TradepostError as error:
        answer = {"error": [error.status, str(error)], "errors": error.errors, "requestId": error.request_id, "retryAfter": error.retry_after}
    print(json.dumps({**answer, "slept": slept}), flush=True)
