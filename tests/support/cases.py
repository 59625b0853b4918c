"""What the runners in Python print, and which tests they run. tests/support/cases.mjs does it in JavaScript.

A passed test is a line `ok   NAME`, a failed one a line `FAIL NAME`, after which all lines about it are indented. The last line is
"N passed, N failed"."""
import os
import time
import traceback

from waiting import MOST_REPEATS, repeats

# Random tests begin with this seed, so that two runs test the same.
SEED = int(os.environ.get("TRADEPOST_TEST_SEED") or 20261129)
# TRADEPOST_TEST_LONG: slow tests run, too, and the others look at everything.
LONG = bool(os.environ.get("TRADEPOST_TEST_LONG"))
# TRADEPOST_TEST_TIMING=1 also checks how long something takes.
TIMING = os.environ.get("TRADEPOST_TEST_TIMING") == "1"


slow_tests = set()  # their names


def slow(test):
    """Marks a test that runs with TRADEPOST_TEST_LONG alone."""
    slow_tests.add(test.__name__)
    return test


def names(text):
    return {line.strip() for line in text.splitlines() if line.strip()}


class Tally:
    """Runs tests and counts them. `only` holds the names of the tests to run, one a line; all run when it is empty."""

    def __init__(self, only=None):
        self.only = names(os.environ.get("TRADEPOST_TEST_ONLY", "") if only is None else only)
        self.passed = self.failed = 0
        self.took = []  # (seconds, name)

    def wants(self, name):
        return (LONG or name not in slow_tests) and (not self.only or name in self.only)

    def fail(self, name, message):
        self.failed += 1
        print(f"FAIL {name}\n" + "\n".join(f"  {line}" for line in message.splitlines()), flush=True)

    def run(self, name, test):
        """A test that fails does not keep the others from running."""
        if not self.wants(name):
            return
        began = time.monotonic()
        try:
            test()
        except Exception:  # pylint: disable=broad-exception-caught
            self.fail(name, traceback.format_exc())
        else:
            self.passed += 1
            print(f"ok   {name}", flush=True)
        self.took.append((time.monotonic() - began, name))

    def finish(self):
        """Prints the ten slowest tests, the repeated requests and the counts. Returns the exit status of the runner."""
        if repeats[0]:
            print(f"note: {repeats[0]} requests were repeated after a 503")
        if repeats[0] > MOST_REPEATS:
            self.fail("few requests are repeated", f"{repeats[0]} requests were repeated after a 503, at most {MOST_REPEATS} are allowed")
        if self.passed + self.failed == 0:
            self.failed = 1
            print("no test has such a name")
        for seconds, name in sorted(self.took, reverse=True)[:10]:
            print(f"slowest: {seconds:.1f} s {name}")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
