"""Runs one group's tests in the booted system; the last line is "N passed, N failed"."""
import importlib
import os
import pathlib
import sys
import traceback

import host


def tests_of(module):
    return [(name, test) for name, test in vars(module).items() if name.startswith("test_") and callable(test)]


def main():
    group = os.environ["CHECK_GROUP"]
    log = open(host.RESULTS / f"{group}.log", "a", buffering=1)
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    if group == "nothing":
        return 0
    try:
        module = importlib.import_module(group if group.startswith("release_") else f"test_{group}")
        getattr(module, "prepare", host.prepare)()
    except Exception:
        traceback.print_exc()
        print(host.run("journalctl -b --no-pager -n 30", check=False).stdout)
        print("FAIL preparing")
        print("0 passed, 1 failed")
        return 1
    passed = failed = 0
    if hasattr(module, "all_tests"):
        passed, failed = module.all_tests()
    for name, test in tests_of(module):
        text = name.removeprefix("test_").replace("_", " ")
        try:
            test()
        except Exception as error:
            if not isinstance(error, AssertionError):
                traceback.print_exc()
            print(f"FAIL {text}: {error}")
            failed += 1
        else:
            print(f"ok   {text}")
            passed += 1
    if failed:
        journal = host.run("journalctl -b --no-pager", check=False).stdout
        pathlib.Path(host.RESULTS / f"{group}.journal").write_text(journal)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
