"""What is wanted: CPU per request, as ratios in one run."""

# (route, who) of ours: [(who else, route of theirs, at most so many times as much)].
RATIOS = {
    ("list", "hot"): [("php-cached", "list", 0.22), ("go-cached", "list", 0.33), ("trivial", "list", 1.5)],
    ("list", "cold"): [("php", "list", 0.6), ("go", "list", 0.85)],
    ("list", "total"): [("php-cached", "list", 0.6), ("go-cached", "list", 0.85)],
    ("detail", "hot"): [("php", "detail", 0.35)],
    ("detail", "cold"): [("php", "detail", 0.56)],
    ("list, 304", "hot"): [("trivial", "list, 304", 1.2), ("trivial", "{}", 1.2)],
    ("stock", "hot"): [("php-cached", "stock", 0.5)],
}
GROWTH = 2  # 10k to 1M rows
RESIDENT_MB = 16  # a worker whose memory of answers is full
STORM = 2  # p99 of reads under a storm of wrong passwords, beside the idle one


def verdict(figure, most):
    return "hit" if figure <= most else "MISS"
