"""All competitors must give the same bytes before any is measured."""
import time

from queries import JOBS, STOCK, distinct, listed
from stack import get


def difference(ours, theirs):
    """Where two bodies part, and what is there."""
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    around = slice(max(0, at - 60), at + 60)
    return f"from byte {at}:\n  ours   {ours[around].decode(errors='replace')}\n  theirs {theirs[around].decode(errors='replace')}"


def check_same(sites, token, values, slug, stock_pages):
    """Ends the benchmark when two give other bodies for the same target."""
    detail = f"{JOBS}/{slug}"
    canned = [listed(JOBS), detail, listed(STOCK)]
    targets = [*canned, *distinct(values, 40), listed(JOBS, page=1000000), listed(JOBS, limit=3, page=2), listed(JOBS, salaryMin=35000),
               listed(JOBS, salaryMax=30000), listed(STOCK, page=2, limit=7), listed(STOCK, page=stock_pages), listed(STOCK, page=1000000)]

    def body(name, target):
        return get(sites[name].plain + target, *([f"Authorization: Bearer {token}"] if target.startswith(STOCK) else []))[0]

    for name in sites:
        for target in canned if name == "trivial" else targets:
            # Between two requests a job may expire, and for a second a cached total not know of it.
            for _ in range(3):
                ours, theirs = body("ours", target), body(name, target)
                if ours == theirs:
                    break
                time.sleep(1.1)
            else:
                raise SystemExit(f"{name} answers GET {target} otherwise, {difference(ours, theirs)}")
    print(f"The same bodies from {', '.join(sites)} for {len(targets)} queries of list, detail and stock.", flush=True)
