"""Runs one group's tests in the booted system; the last line is "N passed, N failed"."""
import importlib
import os
import pathlib
import sys
import traceback

import host
from cases import Tally


def tests_of(module):
    return [(name, test) for name, test in vars(module).items() if name.startswith("test_") and callable(test)]


def main():
    group = os.environ["CHECK_GROUP"]
    log = open(host.RESULTS / f"{group}.log", "a", buffering=1)
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    if group == "nothing":
        return 0
    # The tests of a group build on each other, so all of them run.
    tally = Tally(only="")
    try:
        module = importlib.import_module(group if group.startswith("release_") else f"test_{group}")
        getattr(module, "prepare", host.prepare)()
    except Exception:
        tally.fail(f"preparing {group}", traceback.format_exc() + host.run("journalctl -b --no-pager -n 30", check=False).stdout)
        return tally.finish()
    if hasattr(module, "all_tests"):
        tally.passed, tally.failed = module.all_tests()
    for name, test in tests_of(module):
        tally.run(name.removeprefix("test_").replace("_", " "), test)
    if tally.failed:
        journal = host.run("journalctl -b --no-pager", check=False).stdout
        pathlib.Path(host.RESULTS / f"{group}.journal").write_text(journal)
        host.run(f"cp /var/log/nginx/error.log {host.RESULTS}/{group}.nginx", check=False)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
