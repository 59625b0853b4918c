"""The table: all routes, all competitors, in turns."""
import goals
from measure import Row, closed_loop, column, ratio
from queries import JOBS, STOCK, distinct, listed, write_targets, zipf
from settings import CONNECTIONS, ROUNDS, SECONDS
from stack import get

NAMES = {"hot": "ours", "cold": "ours, nothing remembered", "total": "ours, total remembered", "php": "PHP-FPM", "php-cached": "PHP-FPM, cached total", "go": "Go",
         "go-cached": "Go, cached total", "node": "Node", "node-cached": "Node, cached total", "trivial": "trivial responder"}
COUNTING = ("hot", "total", "cold", "php", "php-cached", "go", "go-cached", "node", "node-cached", "trivial")
CACHED = ("hot", "cold", "php-cached", "go-cached", "node-cached")


def place(sites, who):
    return sites["ours" if who == "hot" else who]


def rows_of(sites, token, slug, values):
    """What is measured of each route. A rival's total is counted each time, or up to a second old where it says so."""
    bearer = (f"Authorization: Bearer {token}",)
    single = {"list": listed(JOBS), "detail": f"{JOBS}/{slug}", "stock": listed(STOCK), "{}": "/api/v1/small", "me": "/api/v1/me"}
    files = {route: write_targets(route.strip("{}") or "small", [target]) for route, target in single.items()}
    many = write_targets("zipf", zipf(distinct(values)))

    def rows(route, competitors, headers=()):
        return [Row(route, who, place(sites, who).plain, single[route], files[route], headers) for who in competitors]

    def conditional(who):
        base = place(sites, who).plain
        tag = get(place(sites, "hot" if who == "trivial" else who).plain + single["list"])[1]
        return Row("list, 304", who, base, single["list"], files["list"], (f"If-None-Match: {tag}",))

    return [
        *rows("{}", ["trivial"]),
        *rows("list", COUNTING),
        *(Row("200 lists", who, place(sites, who).plain, None, many) for who in CACHED),
        *map(conditional, ("hot", "php-cached", "go-cached", "node-cached", "trivial")),
        *rows("detail", ("hot", "cold", "php", "go", "node", "trivial")),
        *rows("stock", ("hot", "cold", "php", "php-cached", "go-cached", "node-cached", "trivial"), bearer),
        *rows("me", ["hot"], bearer),
    ]


def rival(rows, row, name):
    """Who of that name a row is compared with: with the cached total where there is one, the small trivial answer where no larger."""
    for route, who in ((row.route, f"{name}-cached"), (row.route, name), ("{}", name)):
        for other in rows:
            if (other.route, other.who) == (route, who) and other != row:
                return other
    return None


def goals_of(figures, row):
    texts = []
    for who, route, most in goals.RATIOS.get((row.route, row.who), []):
        other = next((other for other in figures if (other.route, other.who) == (route, who)), None)
        if other is None:
            texts.append(f"{NAMES[who]} does not answer")
            continue
        found = ratio(figures, row, other)
        texts.append(f"{found:.2f} × {NAMES[who]}{' ' + route if route != row.route else ''} (≤ {most}) {goals.verdict(found, most)}")
    return "; ".join(texts)


def round_rate(rate):
    """To two digits."""
    step = 10 ** max(0, len(str(int(rate))) - 2)
    return max(1, int(rate) // step * step)


def print_table(sites, token, slug, values, pools):
    """The rate of the open loop, which is what all later latencies are measured at."""
    rows = rows_of(sites, token, slug, values)
    print(f"Measuring {len(rows)} rows of the table, {ROUNDS} × {SECONDS} s each, then latencies.", flush=True)
    figures = closed_loop(rows, pools)
    rate = round_rate(0.5 * min(column(figures, row, 0) for row in rows if row.who in ("hot", "cold")))
    print(f"\nOver plain HTTP, {CONNECTIONS} clients that wait for their answers; p50 and p99 at {rate} requests a second, sent whether or not\n"
          "earlier ones are answered (half of what the slowest of ours bears; - where a competitor does not keep up). The ratios are of CPU per\n"
          "request, to the rival with a cached total where there is one.\n")
    print(f"{'route':<10}{'':<26}{'req/s':>7}{'CPU µs':>8}{'= nginx':>8}{'+ app':>7}{'+ db':>7}{'p50 ms':>8}{'p99 ms':>8}"
          f"{'× PHP':>7}{'× Go':>7}{'× Node':>7}{'× triv.':>8}  goals")
    for row in rows:
        if row not in figures:
            print(f"{row.route:<10}{NAMES[row.who]:<26}  no answer in a second", flush=True)
            continue
        per_second, micros, *parts = (column(figures, row, at) for at in range(5))
        latency = row.open(rate)
        line = f"{row.route:<10}{NAMES[row.who]:<26}{per_second:>7.0f}{micros:>8.0f}{parts[0]:>8.0f}{parts[1]:>7.0f}{parts[2]:>7.0f}"
        line += f"{latency['p50']:>8.2f}{latency['p99']:>8.2f}" if latency else f"{'-':>8}{'-':>8}"
        for name, width in (("php", 7), ("go", 7), ("node", 7), ("trivial", 8)):
            other = rival(figures, row, name)
            line += f"{ratio(figures, row, other):>{width}.2f}" if other else " " * width
        print(f"{line}  {goals_of(figures, row)}".rstrip(), flush=True)
    return rate


def print_secure(sites, pools):
    """The same over TLS, which costs all of them the same."""
    target = listed(JOBS)
    file = write_targets("list", [target])
    rows = [Row("list", who, place(sites, who).secure, target, file) for who in ("hot", "cold", "php-cached", "trivial")]
    figures = closed_loop(rows, pools)
    print("\nThe list over TLS\n")
    for row in rows:
        per_second, micros, *parts = (column(figures, row, at) for at in range(5))
        print(f"{row.route:<10}{NAMES[row.who]:<26}{per_second:>7.0f}{micros:>8.0f}{parts[0]:>8.0f}{parts[1]:>7.0f}{parts[2]:>7.0f}"
              f"   {ratio(figures, row, rows[-1]):.2f} × trivial")
