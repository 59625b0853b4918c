"""SIZE jobs, and SIZE stock items of one dealer. The first ten thousand come by the product's own ways; what is more are copies of
them at other times, made in the database, which takes a tenth of the time. Copies are not in the search index."""
import json
import time

from stack import control, server, sql

SEEDS = 10000
DEALER = "bench-motors"
# A version 7 UUID of the row's creation; the copy's number makes it another than the original's.
COPY_ID = """UNHEX(CONCAT(LPAD(HEX(FLOOR(UNIX_TIMESTAMP({time}) * 1000)), 12, '0'),
    '7', SUBSTR(MD5(CONCAT(HEX(id), @n)), 1, 3), '8', SUBSTR(MD5(CONCAT(HEX(id), @n)), 4, 15)))"""


def timed(what, count, action):
    started = time.monotonic()
    result = action()
    seconds = time.monotonic() - started
    print(f"  {count} {what} in {seconds:.1f} s, {count / max(seconds, 0.001):.0f} a second", flush=True)
    return result


def copies(table, count, changed, condition):
    """`count` copies of each row of `table` that meets the condition, each lot newer than the one before; `changed`: {column: expression}
    over the original's columns and @n, which counts down to 1."""
    columns = [row[0] for row in sql(f"SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = '{table}'"
                                     " ORDER BY ordinal_position;")]
    values = ", ".join(changed.get(column, column) for column in columns)
    lot = f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM originals ORDER BY id;\n"
    sql("SET time_zone = '+00:00', unique_checks = 0, foreign_key_checks = 0;\n"
        f"CREATE TEMPORARY TABLE originals (PRIMARY KEY (id)) AS SELECT * FROM {table} WHERE {condition};\n"
        + "".join(f"SET @n = {n};\n{lot}" for n in range(count, 0, -1)) + f"ANALYZE TABLE {table};")


def add_stock(seeds):
    """The token of the dealer's only member."""
    control("org", "add", "--name", "Bench Motors", "--slug", DEALER, "--published")
    control("user", "add", "--email", "bench@tradepost.example", "--name", "Bench", "--password-stdin", text="a password for the bench\n")
    control("org", "add-member", "--org", DEALER, "--email", "bench@tradepost.example", "--role", "ADMIN")
    lines = [json.dumps({"organisation": DEALER, "reference": f"B-{i}", "title": f"Van {i}, “one owner”", "make": "Ford", "model": "Transit",
                         "description": "Full history. " * (i % 20), "year": 2000 + i % 25, "condition": "USED", "price": 900000 + i, "currency": "GBP",
                         "attributes": {"colour": "white", "mileage": str(i * 7)}, "status": ("PUBLISHED", "PUBLISHED", "ARCHIVED", "DRAFT")[i % 4],
                         "availability": ("IN_STOCK", "IN_STOCK", "RESERVED", "SOLD", "DUE_IN")[i % 5]}) for i in range(seeds)]
    timed("stock items imported", seeds, lambda: control("import", "stock", "-", text="\n".join(lines) + "\n"))
    return control("token", "mint", "--email", "bench@tradepost.example", "--name", "bench").strip()


def add_writers(count):
    """The tokens of so many users, each with an organisation of their own."""
    tokens = []
    for number in range(count):
        name, email = f"writer-{number}", f"writer-{number}@tradepost.example"
        control("org", "add", "--name", f"Writer {number}", "--slug", name, "--published")
        control("user", "add", "--email", email, "--name", "Writer", "--password-stdin", text="a password for the bench\n")
        control("org", "add-member", "--org", name, "--email", email, "--role", "ADMIN")
        tokens.append(control("token", "mint", "--email", email, "--name", "bench").strip())
    return tokens


def add_rows(size):
    """Into a new stack's database; the token of the dealer's only member. The larger it is, the more memory the database gets: what is
    measured is not the disk. No job expires within the next half day."""
    seeds, more = min(size, SEEDS), size // SEEDS - 1
    megabytes = max(128, size * 4 // 1024)
    log = "innodb_redo_log_capacity" if server() == "mysql" else "innodb_log_file_size"
    sql(f"SET GLOBAL innodb_buffer_pool_size = {megabytes} << 20; SET GLOBAL {log} = {max(48, megabytes // 4)} << 20;")
    print(f"{size} jobs and stock items; the database has {megabytes} MiB for pages", flush=True)
    timed("jobs loaded", seeds, lambda: control("demo", "--jobs", str(seeds)))
    token = add_stock(seeds)
    if more > 0:
        sql("SET GLOBAL innodb_flush_log_at_trx_commit = 0;")
        # Over three years, whatever the number of copies.
        times = {column: f"{column} - INTERVAL @n * {1095 * 1440 // more} MINUTE" for column in ("published_at", "created_at", "updated_at")}
        timed("jobs copied", more * seeds, lambda: copies("jobs", more, {
            "id": COPY_ID.format(time=times["created_at"]), "slug": "CONCAT(LEFT(slug, 110), '--', @n)", **times}, "1"))
        del times["published_at"]
        timed("stock items copied", more * seeds, lambda: copies("stock_items", more, {
            "id": COPY_ID.format(time=times["created_at"]), "reference": "CONCAT(reference, '-', @n)", **times},
            f"organisation_id = (SELECT id FROM organisations WHERE slug = '{DEALER}')"))
        sql("SET GLOBAL innodb_flush_log_at_trx_commit = 1;")
    # Or a list's total, and with it its entity tag, might change between two measurements.
    sql("UPDATE jobs SET expires_at = expires_at + INTERVAL 1 DAY WHERE expires_at BETWEEN UTC_TIMESTAMP(3) AND UTC_TIMESTAMP(3) + INTERVAL 12 HOUR;")
    if more > 0:
        timed("jobs' totals recounted", size, lambda: control("recount", "--totals"))
    return token
