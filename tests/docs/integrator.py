#!/usr/bin/python3
"""A dealer's software in Python's own library, as somebody writes it who has read the reference under /docs/ and nothing else. BASE, EMAIL
and PASSWORD are what the dealer gave them, CA_FILE a certificate to trust; the organisation has no stock yet. Ends with the line
"N passed, N failed"."""

import os
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "integration"))

from changes import follows_changes_and_deletions, keeps_jobs_by_reference, works_enquiries  # noqa: E402
from client import Client  # noqa: E402
from files import attaches_a_picture_and_a_document, names_pictures_by_address  # noqa: E402
from refusals import (does_not_overwrite_others, has_a_token_with_scopes, is_refused_what_it_may_not,  # noqa: E402
                      leaves_nothing_behind, waits_as_long_as_it_is_told)
from stock import learns_which_lines_are_wrong, reads_its_feed_back, sends_its_stock, takes_sold_stock_away  # noqa: E402
from webhooks import is_told_by_webhooks, verifies_signatures  # noqa: E402

STEPS = (has_a_token_with_scopes, is_refused_what_it_may_not, sends_its_stock, takes_sold_stock_away, learns_which_lines_are_wrong,
         reads_its_feed_back, attaches_a_picture_and_a_document, names_pictures_by_address, follows_changes_and_deletions, works_enquiries,
         keeps_jobs_by_reference, does_not_overwrite_others, waits_as_long_as_it_is_told, verifies_signatures, is_told_by_webhooks,
         leaves_nothing_behind)


class World:
    """`nobody` has no token, `admin` one of the dealer's own, `program` that of the integration."""

    def __init__(self):
        self.nobody = Client(os.environ["BASE"])
        credentials = {"email": os.environ["EMAIL"], "password": os.environ["PASSWORD"]}
        signed = self.nobody.request("POST", "/api/v1/auth", credentials)
        self.admin = self.nobody.with_token(signed.data["token"])
        me = self.admin.get("/api/v1/me").data
        assert me["token"]["expiresAt"] == signed.headers["X-Token-Expires-At"]
        self.organisation = me["organisations"][0]["id"]


def main():
    world, passed, failed = World(), 0, 0
    for step in STEPS:
        try:
            step(world)
            passed += 1
        except Exception:
            failed += 1
            print(f"FAILED {step.__name__}\n{traceback.format_exc(limit=-4)}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
