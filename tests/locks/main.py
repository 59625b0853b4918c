#!/usr/bin/python3
"""Has the server explain every locking statement of the product, and fails for one that scans a table.

    main.py STATEMENTS.ndjson

A statement that locks waits for whoever holds a row that it reads, and a server reads all rows where it takes that for cheaper than an
index: of ten rows nearly always. So each is explained for tables of 10 rows and of 100,000. The tables are nearly empty: the server plans by its
statistics, which are rewritten for both sizes.

A line of STATEMENTS is an object: sql (with `?` for each value), text (as it was sent) and place (who sent it): tests/support/statement_log.h.
What no suite sent is taken from the source. TRADEPOST_TEST_CONFIG names the tradepost.toml of a private server, which is restarted. Prints what
scans; the last line is `N passed, N failed`.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib

SIZES = (10, 100_000)
# Of a part of an index that is read in order, up to a LIMIT.
MOST_ROWS = 2000
# Statements that mean all rows.
MEANT = {"DELETE FROM outbox_messages WHERE TRUE LIMIT ?"}
# A temporary table, which another connection cannot see. Its statements change rows by their ids, in a copy that nobody serves yet.
TEMPORARY = re.compile(r"\bpseudonyms\b")
ID = "00000000000000000000000000000001"


class Server:
    def __init__(self, path):
        with open(path, "rb") as file:
            settings = tomllib.load(file)["database"]
        self.database = settings.get("name", "tradepost")
        self.state = os.path.dirname(path)
        self.command = [shutil.which("mariadb") or "mysql", "--batch", "--raw", "--skip-column-names", "--force", "--user", settings["user"]]
        if settings.get("password"):
            self.command.append("--password=" + settings["password"])
        self.command += ["--socket", settings["socket"]] if settings.get("socket") else ["--host", settings["host"], "--port", str(settings["port"])]

    def run(self, sql, database=None, check=True):
        done = subprocess.run(self.command + ([database] if database else []), input=sql, capture_output=True, text=True, check=False)
        if done.returncode and check:
            raise SystemExit(f"{done.stderr}\n0 passed, 1 failed")
        return done.stdout


def prepare(server, database):
    """Gives each table one row, whose ids are all ID, so that a statement about it is planned to its end; a missing row would end the plan."""
    columns = server.run(
        "SELECT table_name, column_name, data_type, COALESCE(character_maximum_length, 0) FROM information_schema.columns "
        f"WHERE table_schema = '{database}' AND (column_default IS NULL AND is_nullable = 'NO' OR data_type IN ('binary', 'varbinary'))")
    tables = {}
    for line in columns.splitlines():
        table, column, kind, length = line.split("\t")
        tables.setdefault(table, []).append((column, value(kind, int(length))))
    sql = ["SET foreign_key_checks = 0, time_zone = '+00:00';"]
    for table, cells in tables.items():
        names, values = zip(*cells)
        sql.append(f"INSERT IGNORE INTO `{table}` (`{'`, `'.join(names)}`) VALUES ({', '.join(values)});")
    server.run("\n".join(sql), database)


def value(kind, length):
    if kind in ("binary", "varbinary"):
        return f"UNHEX('{ID}')" if length == 16 else f"REPEAT('a', {min(length, 32)})"
    if kind in ("date", "datetime", "timestamp"):
        return "'2026-01-01'"
    return "'[]'" if kind in ("json", "mediumtext") else "'1'" if "char" in kind or "text" in kind else "1"


def pretend(server, database, rows):
    """Has the server plan as if each table had so many rows, and each value of an index two."""
    pages, values = max(1, rows // 100), max(1, rows // 2)
    server.run(
        f"UPDATE mysql.innodb_table_stats SET n_rows = {rows}, clustered_index_size = {pages}, sum_of_other_index_sizes = {pages} "
        f"WHERE database_name = '{database}';\n"
        f"UPDATE mysql.innodb_index_stats SET stat_value = IF(stat_name LIKE 'n_diff%', {values}, {pages}) WHERE database_name = '{database}'")
    # MariaDB reads them once.
    for what in ("stop", "start"):
        subprocess.run(["systemd/runit/database", what], check=True, stdout=subprocess.DEVNULL, env=os.environ | {"STATE": server.state})


def explain(server, database, texts):
    """The lines of each text's plan, as dicts."""
    sql = "\n".join(f"SELECT 'statement {i}';\nEXPLAIN {text};" for i, text in enumerate(texts))
    plans = {}
    for line in server.run("/*!80032 SET explain_format = TRADITIONAL */;\n" + sql, database, check=False).splitlines():
        cells = line.split("\t")
        if cells[0].startswith("statement "):
            plan = plans.setdefault(int(cells[0].split()[1]), [])
        else:
            # MySQL has the columns `partitions` and `filtered`, too.
            names = "id select_type table partitions type possible_keys key key_len ref rows filtered Extra" if len(cells) == 12 else \
                "id select_type table type possible_keys key key_len ref rows Extra"
            plan.append(dict(zip(names.split(), cells)))
    return plans


def scans(line, rows, sql):
    # What a subquery of its own has put together belongs to nobody else.
    if line["table"].startswith("<") or not line["rows"].isdigit():
        return False
    most = MOST_ROWS if re.search(r"\bLIMIT\b", sql, re.I) else rows - 1
    return line["type"] == "ALL" or line["type"] == "index" and int(line["rows"]) > most


VALUE = r"(?:x?'(?:[^'\\]|\\.)*'|\d+)"


def five(match):
    """Half as many values as the short tables have rows: a scan reads rows that the list does not name."""
    values = sorted(set(re.findall(VALUE, match[0])))
    first = values[0]
    more = (f"x'{i:0{len(first) - 3}x}'" if first[0] == "x" else f"'{i}'" if first[0] == "'" else str(i) for i in range(2, 9))
    return "IN (" + ", ".join((values + [each for each in more if each not in values])[:5]) + ")"


# The prefix that limits the time of a read.
TIME_LIMIT = re.compile(r"^SET STATEMENT max_statement_time=\S+ FOR ")


def text_of(statement):
    # A row that is named by its id is there.
    text = re.sub(r"(=\s*)x'[0-9a-f]{32}'", rf"\1x'{ID}'", TIME_LIMIT.sub("", statement["text"]))
    text = re.sub(r"(\([^()]*\))( OR \([^()]*\)){5,}", lambda match: " OR ".join(match[0].split(" OR ")[:5]), text)
    return re.sub(rf"IN \({VALUE}(, {VALUE})*\)", five, text).strip().rstrip(";")


def form_of(text):
    """As tests/support/statement_log.h says."""
    text = re.sub(r"x?'(?:[^'\\]|\\.)*'", "?", text)
    return re.sub(r"(\?, )+\?", "?", re.sub(r"(?<!\w)\d\w*", "?", text))


def unsent(forms):
    """What the source has and no suite sent, with some value in each place. A part of a statement makes no plan, so it needs a test that sends it."""
    forms = "\n".join(forms)
    for path in sorted(glob.glob("fcgi-app/**/*.cpp", recursive=True) + glob.glob("fcgi-app/**/*.h", recursive=True)):
        if path.startswith("fcgi-app/search/engines/"):  # what they send to a search server
            continue
        with open(path, encoding="utf-8") as file:
            source = re.sub(r"^\s*(//|#).*$", "", file.read(), flags=re.M)
        for match in re.finditer(r'"((?:[^"\\]|\\.)*)"', re.sub(r'"\s*\n\s*"', "", source)):
            if re.match(r"(UPDATE|DELETE) ", match[1]) or "FOR UPDATE" in match[1] or "LOCK IN SHARE" in match[1]:
                form = form_of(match[1])
                if form.strip() not in forms:
                    text = re.sub(r"LIMIT \?", "LIMIT 500", match[1]).replace("?", f"x'{ID}'")
                    yield {"sql": form, "text": text, "place": path}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        statements = list({statement["sql"]: statement for statement in map(json.loads, file)}.values())
    statements = [statement for statement in statements if statement["sql"] not in MEANT]
    statements += unsent([statement["sql"] for statement in statements])
    statements = [statement for statement in statements if not TEMPORARY.search(statement["sql"])]
    config = os.environ["TRADEPOST_TEST_CONFIG"]
    subprocess.run([os.path.join(os.environ.get("BUILD", "build"), "tradepostctl"), "--config", config, "migrate"], check=True, stdout=subprocess.DEVNULL)
    server = Server(config)
    prepare(server, server.database)
    bad = {}
    for rows in SIZES:
        pretend(server, server.database, rows)
        plans = explain(server, server.database, [text_of(statement) for statement in statements])
        for i, statement in enumerate(statements):
            if not plans.get(i):
                bad[i] = ["has no plan: no suite sends it, or it is wrong"]
            for line in plans.get(i, []):
                if scans(line, rows, statement["sql"]):
                    bad.setdefault(i, []).append(f"of {rows} rows: {line['table']} is read as {line['type']}, key {line['key']}, rows {line['rows']}")
    for i, why in bad.items():
        print(f"FAIL {statements[i]['place']}: {'; '.join(why)}\n     {statements[i]['sql']}")
    print(f"{len(statements) - len(bad)} passed, {len(bad)} failed")
    sys.exit(bool(bad) or not statements)


main()
