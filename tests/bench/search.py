"""What searches cost with both engines: idle, and while 500 rows a second change. Times are those that the workers log for whole requests."""
import json
import random
import re
import subprocess
import threading
import time
import urllib.parse

import stack
from rows import COPY_ID, SEEDS, copies, timed
from settings import ENVIRONMENT, ROOT, STATE

# A word's share of the jobs; the others are as rare as words are in texts.
SHARES = {"rareword": 0.00005, "onepercent": 0.01, "tenpercent": 0.1, "othertenth": 0.1, "halfword": 0.5}
CITY = "Leeds"
QUERIES = {"rare word": "q=rareword", "word in 1 %": "q=onepercent", "word in 10 %": "q=tenpercent", "word in 50 %": "q=halfword",
           "two words of 10 %": "q=tenpercent+othertenth", "phrase": 'q="tenpercent+halfword"', "prefix of 3 letters": "q=wab*",
           "word in 10 % + city": f"q=tenpercent&city={CITY}", "its second page": "q=tenpercent&page=2",
           "its page at 10,000": "q=tenpercent&page=501"}
FACETS = {"facets without q": "fields=category,city,contractType", "facets of 10 %": "fields=category,city,contractType&q=tenpercent"}
# p50 and p99 in ms with Sphinx and a million jobs.
GOALS = {"rare word": (2, 5), "word in 10 %": (20, 60), "two words of 10 %": (15, 50), "phrase": (20, 80), "prefix of 3 letters": (50, 150),
         "facets without q": (3, 3)}
TEXTS = 20_000  # different ones
WRITES_A_SECOND = 500
IMPORTED = 100_000  # rows, of which the indexer gets to know at once
MOST_PIECES = 16  # of an index at rest


def words_of(rng, vocabulary, weights):
    words = rng.choices(vocabulary, cum_weights=weights, k=rng.randint(60, 95))
    for word, share in SHARES.items():
        if word != "rareword" and rng.random() < share:
            words.insert(rng.randrange(len(words)), word)
    return words


def add_words(size):
    """Texts of 60 to 100 words for all jobs: as the application encodes words of plain letters (fcgi-app/search/grammar/tokens.h)."""
    rng = random.Random(7)
    vocabulary = ["w" + "".join(chr(97 + (i * 7919 // 26**k) % 26) for k in range(4)) for i in range(50_000)]
    weights, total = [], 0.0
    for i in range(len(vocabulary)):
        total += 1 / (i + 3) ** 0.9
        weights.append(total)
    token = lambda word: "tok" + word.replace("q", "qn")
    rows = [f"({n}, ' {' '.join(map(token, words_of(rng, vocabulary, weights)))} ')" for n in range(TEXTS)]
    texts = "".join(f"INSERT INTO bench_texts VALUES {', '.join(rows[n:n + 500])};\n" for n in range(0, TEXTS, 500))
    stack.sql("SET unique_checks = 0, foreign_key_checks = 0; ALTER TABLE job_search DROP INDEX job_search_tokens;\n"
              "TRUNCATE TABLE job_search; CREATE TABLE bench_texts (n INT PRIMARY KEY, tokens MEDIUMTEXT CHARACTER SET ascii);\n"
              + texts +
              f"INSERT INTO job_search SELECT j.id, CONCAT(b.tokens, IF(CRC32(HEX(j.id)) % {int(1 / SHARES['rareword'])} = 0, 'tokrareword ', ''))\n"
              f"FROM jobs j JOIN bench_texts b ON b.n = CRC32(j.id) % {TEXTS};")


def fill(size):
    more = size // SEEDS - 1
    stack.sql(f"SET GLOBAL innodb_buffer_pool_size = {max(256, size * 2 // 1024)} << 20; SET GLOBAL innodb_flush_log_at_trx_commit = 0;")
    timed("jobs loaded", min(size, SEEDS), lambda: stack.control("demo", "--jobs", str(min(size, SEEDS)), "--stock", "0", "--enquiries", "0"))
    if more > 0:
        times = {column: f"{column} - INTERVAL @n * {1095 * 1440 // more} MINUTE" for column in ("published_at", "created_at", "updated_at")}
        timed("jobs copied", more * SEEDS, lambda: copies("jobs", more, {
            "id": COPY_ID.format(time=times["created_at"]), "slug": "CONCAT(LEFT(slug, 110), '--', @n)", **times}, "1"))
    stack.sql("UPDATE jobs SET expires_at = expires_at + INTERVAL 1 DAY WHERE expires_at BETWEEN UTC_TIMESTAMP(3) AND UTC_TIMESTAMP(3) + INTERVAL 12 HOUR;")
    timed("texts added", size, lambda: add_words(size))


class Changes(threading.Thread):
    """So many rows a second that the indexer has to read and replace."""

    def __init__(self):
        super().__init__()
        self.ended = threading.Event()
        self.ids = [row[0] for row in stack.sql("SELECT HEX(id) FROM jobs ORDER BY RAND() LIMIT 20000;")]

    def run(self):
        rng, due = random.Random(11), time.monotonic()
        command = ["mariadb", "--no-defaults", f"--socket={stack.database()['socket']}", "--unbuffered", stack.database()["name"]]
        with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as client:
            while not self.ended.is_set():
                rows = ", ".join(f"('jobs', UNHEX('{id}'), 'written', UTC_TIMESTAMP(3))" for id in rng.sample(self.ids, WRITES_A_SECOND // 10))
                client.stdin.write(f"INSERT INTO changes (collection, row_id, kind, changed_at) VALUES {rows};\n")
                client.stdin.flush()
                due += 0.1
                time.sleep(max(0, due - time.monotonic()))


def measure(seconds):
    """{query: sorted milliseconds}, and how many answers were no 200."""
    log, failed = STATE / "log/api.log", 0
    base = f"https://localhost:{(STATE / 'port').read_text().strip()}/api/v1/jobs"
    times = {}
    for name, query in (QUERIES | FACETS).items():
        begin, url = log.stat().st_size, base + ("/facets?" if name in FACETS else "?") + urllib.parse.quote(query, safe="=&+*,")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            subprocess.run(["curl", "-sk", "--max-time", "5", *[url] * 20], stdout=subprocess.DEVNULL, check=False)
        with open(log, encoding="utf-8") as file:
            file.seek(begin)
            lines = [line for line in file if re.search("route=/api/v1/jobs(/facets)? ", line)]
        failed += sum("status=200" not in line for line in lines)
        times[name] = sorted(float(re.search(r" ms=([\d.]+)", line)[1]) for line in lines)
    return times, failed


def quantile(times, share):
    return times[min(len(times) - 1, int(len(times) * share))]


def print_times(title, times, failed, goals=None, idle=None):
    print(f"\n{title}" + (f"; {failed} answers were no 200" if failed else ""))
    for name, each in times.items():
        p50, p99 = quantile(each, 0.5), quantile(each, 0.99)
        line = f"  {name:22} p50 {p50:8.1f}  p99 {p99:8.1f} ms  {len(each):6} requests"
        if goals and name in goals:
            good = p50 <= goals[name][0] and p99 <= goals[name][1]
            line += f"   goal {goals[name][0]} / {goals[name][1]}: {'hit' if good else 'MISS'}"
        if idle:
            ratio = p99 / quantile(idle[name], 0.99)
            line += f"   {ratio:.1f} x idle, goal 2.5: {'hit' if ratio <= 2.5 else 'MISS'}"
        print(line, flush=True)


def freshness(probes):
    """Milliseconds from the answer to a POST until a search finds the job."""
    token = stack.control("token", "mint", "--email", "demo@tradepost.example", "--name", "bench").strip()
    base = f"https://localhost:{(STATE / 'port').read_text().strip()}/api/v1"
    headers = ["-H", f"Authorization: Bearer {token}", "-H", "Content-Type: application/json"]
    own = json.loads(subprocess.run(["curl", "-skf", *headers, f"{base}/me"], capture_output=True, check=True).stdout)["data"]["organisations"]
    organisation = own[0]["id"]
    times = []
    for n in range(probes):
        word = f"probe{n}x{int(time.time() * 1000)}"
        body = ('{"organisationId": "%s", "title": "%s", "description": "D", "category": "C", "city": "C", "contractType": "PERMANENT", "status": "PUBLISHED"}'
                % (organisation, word))
        subprocess.run(["curl", "-skf", "-o", "/dev/null", *headers, "-d", body, f"{base}/jobs"], check=True)
        begun = time.monotonic()
        while b'"total":1' not in subprocess.run(["curl", "-sk", f"{base}/jobs?q={word}"], capture_output=True, check=True).stdout:
            if time.monotonic() - begun > 30:
                break
        times.append((time.monotonic() - begun) * 1000)
    return sorted(times)


def await_few_pieces():
    """The server puts the pieces of a new index together, which searches should not be measured beside."""
    client = ["mariadb", "--no-defaults", f"--socket={STATE / 'run/sphinx.sock'}", "-N", "-e"]
    names = re.findall(r"jobs_\w+", subprocess.run([*client, "SHOW TABLES"], capture_output=True, text=True, check=True).stdout)
    client.append("; ".join(f"SHOW INDEX {name} STATUS" for name in names))
    end = time.monotonic() + 600
    while time.monotonic() < end:
        answer = subprocess.run(client, capture_output=True, text=True, check=True).stdout
        if all(int(count) <= MOST_PIECES for count in re.findall(r"disk_chunks\s+(\d+)", answer)):
            return
        time.sleep(1)


def record_and_await(count):
    """As an import does, which records each of its rows."""
    stack.sql(f"INSERT INTO changes (collection, row_id, kind, changed_at) SELECT 'jobs', id, 'written', UTC_TIMESTAMP(3) FROM jobs LIMIT {count};")
    while stack.sql("SELECT (SELECT position FROM change_readers WHERE name LIKE 'search jobs_%' AND name NOT LIKE '% on disk') < last OR "
                    "EXISTS (SELECT 1 FROM changes WHERE position IS NULL) FROM change_positions;")[0][0] == "1":
        time.sleep(0.1)


def use_mysql():
    config = STATE / "tradepost.toml"
    config.write_text(config.read_text().replace('engine = "sphinx"', 'engine = "mysql"'))
    subprocess.run(["sv", "-w", "30", "restart", STATE / "sv/api"], check=True, stdout=subprocess.DEVNULL)
    time.sleep(1)


def print_search(size, seconds):
    environment = dict(ENVIRONMENT, SEARCH="sphinx", SETTINGS=ENVIRONMENT["SETTINGS"].replace('"warning"', '"info"') + "\nhttp.remembered_bytes = 0")
    stack.stop()
    subprocess.run(["rm", "-rf", STATE], check=True)
    subprocess.run([ROOT / "systemd/runit/stack", "up"], env=environment, check=True, stdout=subprocess.DEVNULL)
    try:
        print(f"\nSearches of {size} jobs", flush=True)
        stack.sql("SET GLOBAL innodb_buffer_pool_size = 3 << 30;")  # rows are in memory, as a server of this size would have them
        fill(size)
        stack.control("prune")  # unlists what has expired, as a timer does every hour
        timed("jobs indexed", size, lambda: stack.control("reindex"))
        timed("index put together", size, await_few_pieces)
        goals = GOALS if size >= 1_000_000 else None
        idle, failed = measure(seconds)
        print_times("Sphinx, idle", idle, failed, goals)
        timed("changed rows indexed", IMPORTED, lambda: record_and_await(IMPORTED))
        changes = Changes()
        changes.start()
        try:
            busy, failed = measure(seconds)
            print_times(f"Sphinx, while {WRITES_A_SECOND} rows a second change", busy, failed, None, idle)
            fresh = freshness(100)
            print(f"  a new job is found after p50 {quantile(fresh, 0.5):.0f}, p99 {quantile(fresh, 0.99):.0f} ms; goal 1000", flush=True)
        finally:
            changes.ended.set()
            changes.join()
        timed("words indexed by InnoDB", size, lambda: stack.sql("ALTER TABLE job_search ADD FULLTEXT KEY job_search_tokens (tokens);"))
        use_mysql()
        print_times("MySQL full text, idle", *measure(seconds))
    finally:
        stack.stop()
