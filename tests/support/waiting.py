"""How long tests in Python wait at most, and how they repeat a request while the service is busy. tests/support/waiting.mjs does it in JavaScript."""
import os
import time
import uuid

# How much slower this machine may be than usual.
SLOW = float(os.environ.get("TRADEPOST_TEST_SLOW") or 1)
assert 0 < SLOW < float("inf"), "TRADEPOST_TEST_SLOW must be a number above 0"
MOST_REPEATS = 20
repeats = [0]  # how many requests were repeated in this process


def limit(seconds):
    """An upper limit of waiting, in seconds."""
    return seconds * SLOW


def wait_for(condition, seconds=60, pause=0.1):
    """The condition's first true value, or its last value when the time is over."""
    end = time.monotonic() + limit(seconds)
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(pause)


def repeatable(method, headers=None):
    """The headers of a request that may be sent again: a POST gets an Idempotency-Key, so that it writes once."""
    return {**({"Idempotency-Key": str(uuid.uuid4())} if method == "POST" else {}), **(headers or {})}


def until_served(send, seconds=30):
    """Sends a request until the answer is no 503 with Retry-After, and returns the last answer. `send` returns (status, headers, …), and sends the
    headers of repeatable(). Only for steps that prepare a test: a test about a 503 sends its request itself."""
    end = time.monotonic() + limit(seconds)
    while True:
        answer = send()
        pause = (answer[1].get("Retry-After") or "") if answer[0] == 503 else ""
        if not pause.isdigit() or time.monotonic() + int(pause) > end:
            return answer
        repeats[0] += 1
        time.sleep(int(pause))
