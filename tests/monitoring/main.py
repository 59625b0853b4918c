#!/usr/bin/python3
"""The files for monitoring against a stack with SEARCH=sphinx: the alert rules and the dashboard name what /metrics serves, and fail2ban's filter
finds failed sign-ins in nginx's log. The rules themselves are tested by `promtool test rules` in tests/lint."""
import fnmatch
import http.client
import json
import os
import random
import re
import shutil
import ssl
import subprocess
import sys
import tempfile

import yaml

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
# pylint: disable=wrong-import-position
from cases import Tally  # noqa: E402
from waiting import limit, until_served, wait_for  # noqa: E402

STATE, ROOT = os.environ["TRADEPOST_TEST_STATE"], os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = f"{ROOT}/systemd/monitoring"
# Metrics that are not of Tradepost. Those of prometheus-node-exporter need a host under systemd.
OF_OTHERS = {"up": {}, **{f"node_filesystem_{name}": {"fstype": {"ext4"}, "mountpoint": {"/"}} for name in ("avail_bytes", "size_bytes", "files", "files_free")},
             "node_systemd_timer_last_trigger_seconds": {"name": set()}, "node_systemd_unit_state": {"name": set(), "state": {"failed"}}}
# Clients of this run: limits count by address.
CLIENTS = f"127.{random.randrange(1, 255)}.{random.randrange(1, 255)}."
# Prometheus adds these.
ADDED = {"job", "instance"}


def send(method, path, body=None, address="127.0.0.1"):
    """Status, headers and body; the client has another address of this host."""
    with open(f"{STATE}/port", encoding="ascii") as file:
        port = int(file.read())
    trust = ssl.create_default_context(cafile=f"{STATE}/tls/cert.pem")
    connection = http.client.HTTPSConnection("localhost", port, context=trust, source_address=(address, 0), timeout=limit(30))
    connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read().decode()


def ask(*given):
    """As send(), without the headers. Only for what may be repeated while the service is busy. The third value is how many requests were sent."""
    sent = []
    status, _, text = until_served(lambda: sent.append(1) or send(*given))
    return status, text, len(sent)


def served():
    """{metric: {label: values}} of /metrics, after a request, a search, a backup and its rehearsal."""
    for mark in ("backed-up", "rehearsed"):
        open(f"{STATE}/tradepost.{mark}", "w", encoding="ascii").close()
    assert ask("GET", "/api/v1/jobs?q=driver")[0] == 200
    status, text, _ = ask("GET", "/metrics")
    assert status == 200, text
    found = {}
    for name, labels in re.findall(r'^([a-z_]+)(?:\{(.*)\})? \S+$', text, re.M):
        for label, value in re.findall(r'([a-z_]+)="([^"]*)"', labels):
            found.setdefault(name, {}).setdefault(label, set()).add(value)
        found.setdefault(name, {})
    return found


def dashboard():
    done = subprocess.run([f"{FILES}/dashboard"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def rules():
    with open(f"{FILES}/alerts.yml", encoding="utf-8") as file:
        return [rule for group in yaml.safe_load(file)["groups"] for rule in group["rules"]]


def shown():
    """(title, expression, names of labels in the text beside it) of each rule and each query."""
    for rule in rules():
        yield rule["alert"], rule["expr"], set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
    for panel in dashboard()["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"], set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
    for variable in dashboard()["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["label"], re.fullmatch(r"label_values\((.*), (\w+)\)", variable["query"])[1], set()


def selectors(expression):
    """[(metric, [(label, operator, value)])] and the labels that the expression groups by."""
    grouped = {label for labels in re.findall(r"\b(?:by|without|on|ignoring) \(([^)]*)\)", expression) for label in re.findall(r"\w+", labels)}
    rest = re.sub(r"\b(?:by|without|on|ignoring) \([^)]*\)|\[[^]]*\]|\boffset \w+", "", expression)
    found = re.findall(r'(?<![\w."])([a-z_]+)(?:\{((?:[^}"]|"[^"]*")*)\})?(?!\w*\s*\()(?![\w"])', rest)
    return [(name, re.findall(r'(\w+)(=~|!~|!=|=)"([^"]*)"', matchers)) for name, matchers in found if name not in ("and", "or", "unless")], grouped


def faults(expression, named, metrics):
    used, grouped = selectors(expression)
    if not used:
        yield "it has no metric"
    known = set(ADDED)
    for metric, matchers in used:
        if metric not in metrics:
            yield f"{metric} is not served"
            continue
        labels = metrics[metric]
        known |= set(labels)
        for label, operator, value in matchers:
            if label not in labels and label not in ADDED:
                yield f"{metric} has no label {label}"
            elif label not in ADDED and re.fullmatch(r"[a-z_|]+", value) and operator != "!~":
                yield from (f"{metric} has no {label}={each}" for each in value.split("|") if each not in labels[label])
    yield from (f"no metric has the label {label}" for label in (grouped | named) - known)


def the_rules_and_the_dashboard_name_what_is_served():
    metrics = {**served(), **OF_OTHERS}
    found = [f"{title}: {fault}" for title, expression, named in shown() for fault in faults(expression, named, metrics)]
    assert not found, "\n".join(found)
    checked = {metric for _, expression, _ in shown() for metric, _ in selectors(expression)[0]}
    assert {"tradepost_search_index_lag_seconds", "tradepost_requests_total", "up", "node_filesystem_files_free"} <= checked, checked


def faults_of_an_expression_are_found():
    metrics = {"tradepost_errors_total": {"kind": {"timeout"}}}
    for expression, expected in (('rate(tradepost_errors_total{kind="timeout",job="a"}[5m]) > 0', []),
                                 ("sum by (job, kind) (tradepost_errors_total)", []),
                                 ("tradepost_error_total > 1", ["tradepost_error_total is not served"]),
                                 ('tradepost_errors_total{kid="timeout"}', ["tradepost_errors_total has no label kid"]),
                                 ('tradepost_errors_total{kind=~"timeout|time"}', ["tradepost_errors_total has no kind=time"]),
                                 ("sum by (kid) (tradepost_errors_total) unless other", ["other is not served", "no metric has the label kid"])):
        assert list(faults(expression, set(), metrics)) == expected, (expression, list(faults(expression, set(), metrics)))


def the_queries_of_the_dashboard_parse():
    plain = [{"record": "query:of_panel", "expr": each["expr"].replace("$__rate_interval", "5m").replace("$__range", "6h")} for panel in dashboard()["panels"] for each in panel["targets"]]
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        yaml.safe_dump({"groups": [{"name": "queries", "rules": [{**rule, "labels": {"number": str(i)}} for i, rule in enumerate(plain)]}]}, file)
        file.flush()
        done = subprocess.run(["promtool", "check", "rules", file.name], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and f"{len(plain)} rules found" in done.stdout, done.stdout + done.stderr


def legends_tell_the_series_of_a_query_apart():
    for panel in dashboard()["panels"]:
        for target in panel["targets"]:
            used, grouped = selectors(target["expr"])
            fixed = {label for _, matchers in used for label, operator, _ in matchers if operator == "="}
            named = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            assert grouped - named - fixed <= {"le"}, (panel["title"], target)


def the_panels_have_places_of_their_own():
    panels = dashboard()["panels"]
    assert sorted(each["id"] for each in panels) == list(range(1, len(panels) + 1))
    places = [(x, y) for each in panels for x in range(each["gridPos"]["x"], each["gridPos"]["x"] + each["gridPos"]["w"])
              for y in range(each["gridPos"]["y"], each["gridPos"]["y"] + each["gridPos"]["h"])]
    assert len(places) == len(set(places)) and max(x for x, _ in places) < 24


def addresses(log):
    done = subprocess.run(["fail2ban-regex", "--out", "ip", log, f"{FILES}/fail2ban/filter.d/tradepost.conf"], capture_output=True, text=True, check=True)
    return done.stdout.split()


def fail2ban_finds_failed_sign_ins():
    log = f"{STATE}/log/access.log"
    before = os.path.getsize(log)
    wrong = json.dumps({"email": "nobody@dealer.example", "password": "wrong"})
    sign_ins = [(*ask("POST", path, wrong, address), address)
                for path, address in [("/api/v1/auth", CLIENTS + "1")] * 10 + [("/dashboard/api/session?", CLIENTS + "2")] * 2]
    assert {status for status, *_ in sign_ins} == {401, 429}, sign_ins
    others = [ask("GET", "/dashboard/api/session", None, CLIENTS + "3"), ask("GET", "/api/v1/me", None, CLIENTS + "3"),
              ask("POST", "/api/v1/auth", "{}", CLIENTS + "3"), ask("POST", "/api/v1/jobs", wrong, CLIENTS + "3"), ask("GET", "/api/v1/auth/401", None, CLIENTS + "3")]
    assert [status for status, *_ in others] == [401, 401, 400, 401, 404], others
    sent = sum(each[2] for each in [*sign_ins, *others])

    def written():
        with open(log, encoding="utf-8") as file:
            file.seek(before)
            return file.read()

    # Each process of nginx writes its buffer once a second.
    assert wait_for(lambda: len(re.findall(rf"^{re.escape(CLIENTS)}.*\n", written(), re.M)) == sent), written()
    lines = written()
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(lines)
        file.flush()
        found = addresses(file.name)
    assert sorted(found) == sorted(address for *_, address in sign_ins), found


def fail2ban_reads_every_form_of_a_line_and_nothing_else():
    rest = " 123 0.010 id=0123456789abcdef0123456789abcdef"
    at = "[2026-11-28T13:14:43+00:00]"
    lines = {f'2001:db8::7 {at} "POST /api/v1/auth HTTP/2.0" 401{rest}': "2001:db8::7",
             f'203.0.113.1 {at} "POST https://shop.example.com/dashboard/api/session? HTTP/1.1" 429{rest}': "203.0.113.1",
             f'203.0.113.2 {at} "POST /api/v1/auth HTTP/1.1" 200{rest.replace("123", "401")}': None,
             f'203.0.113.3 {at} "POST /api/v1/auth/more HTTP/1.1" 401{rest}': None,
             f'203.0.113.4 {at} "POST /more/api/v1/auth HTTP/1.1" 401{rest}': None,
             f'203.0.113.5 {at} "GET /dashboard/api/session HTTP/2.0" 401{rest}': None,
             f'203.0.113.6 {at} "POST /api/v1/auth HTTP/1.1" 503{rest}': None}
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        assert addresses(file.name) == [address for address in lines.values() if address]


def fail2ban_takes_the_jail():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree("/etc/fail2ban", f"{folder}/fail2ban")
        shutil.copytree(f"{FILES}/fail2ban", f"{folder}/fail2ban", dirs_exist_ok=True)
        jails = f"{folder}/fail2ban/jail.d"
        for name in os.listdir(jails):
            if name != "tradepost.conf":
                os.remove(f"{jails}/{name}")
        with open(f"{jails}/tradepost.conf", encoding="utf-8") as file:
            text = file.read()
        assert "/var/log/nginx/tradepost-*.log" in text
        with open(f"{jails}/tradepost.conf", "w", encoding="utf-8") as file:
            file.write(text.replace("/var/log/nginx/tradepost-*.log", f"{STATE}/log/access.log"))
        done = subprocess.run(["fail2ban-client", "-c", f"{folder}/fail2ban", "-d"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for words in ("['add', 'tradepost', 'auto']", f"['set', 'tradepost', 'addlogpath', '{STATE}/log/access.log'", "['set', 'tradepost', 'maxretry', 30]"):
        assert words in done.stdout, f"{words}: {done.stdout}"


def debian_rotates_the_logs():
    with open("/etc/logrotate.d/nginx", encoding="utf-8") as file:
        patterns = file.readline().removesuffix("{\n").split()
    assert any(fnmatch.fnmatch("/var/log/nginx/tradepost-shop.log", pattern) for pattern in patterns), patterns


CASES = [the_rules_and_the_dashboard_name_what_is_served, faults_of_an_expression_are_found, the_queries_of_the_dashboard_parse,
         legends_tell_the_series_of_a_query_apart, the_panels_have_places_of_their_own, fail2ban_finds_failed_sign_ins,
         fail2ban_reads_every_form_of_a_line_and_nothing_else, fail2ban_takes_the_jail, debian_rotates_the_logs]
tally = Tally()
for case in CASES:
    tally.run(case.__name__, case)
sys.exit(tally.finish())
