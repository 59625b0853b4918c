"""Instances that search with a search server each: what is written is found, whatever happens to the server, its files and the indexer."""
import collections
import os
import pathlib
import re
import secrets
import signal
import subprocess
import threading

import host
from host import PACKAGES, cursor, equal, expect, kill, north, run, said, south, wait_until

STORE = pathlib.Path("/var/lib/tradepost/north/search")
SEARCH, INDEX = "tradepost-search@north.service", "tradepost-index@north.service"


def prepare():
    run("systemctl start mariadb nginx")
    host.install()
    for instance in (north, south):
        host.add(instance, "--search sphinx")
    for instance in (north, south):
        instance.wait_ready()
        wait_until(lambda: searches(instance), f"{instance.name} does not search")


def searches(instance):
    return instance.get("/api/v1/jobs?q=anything").status == 200


def write(instance=north):
    """A published job with a word of its own."""
    word = "word" + secrets.token_hex(5)
    instance.call("POST", "/api/v1/jobs", {"title": f"Fitter {word}", "description": "Fits.", "category": "Workshop",
                                           "contractType": "PERMANENT", "city": "Leeds", "status": "PUBLISHED",
                                           "organisationId": instance.served("GET", "/api/v1/me").data()["organisations"][0]["id"]}).data()
    return word


def found(word, instance=north):
    answer = instance.get(f"/api/v1/jobs?q={word}")
    return answer.status == 200 and answer.data()["total"] == 1


def wait_found(*words, instance=north):
    for word in words:
        wait_until(lambda: found(word, instance), f"{word} is not found")


def doctor(code=0):
    """Its lines about the search."""
    done = north.ctl("doctor --no-web", check=False)
    lines = [line for line in done.stdout.splitlines() if re.search(r"search|index of|tradepost-index", line)]
    equal(done.returncode, code, "\n".join(line for line in done.stdout.splitlines() if not line.startswith("ok ")))
    return lines


def complaints(code):
    return [line for line in doctor(code) if not line.startswith("ok ")]


def main_pid(unit):
    return said(f"systemctl show -P MainPID {unit}")


def figure(name):
    """Of /metrics, as nginx gives it to this host."""
    lines = [line for line in north.get("/metrics").body.decode().splitlines() if line.startswith(name)]
    return [line.rsplit(" ", 1)[1] for line in lines]


def test_each_instance_has_a_server_of_its_own():
    for one, other in ((north, south), (south, north)):
        word = write(one)
        wait_found(word, instance=one)
        equal(other.get(f"/api/v1/jobs?q={word}").data()["total"], 0, f"{other.name} finds what is {one.name}'s")
        equal(one.active(f"tradepost-search@{one.name}.service"), "active", "the server")
        socket = pathlib.Path(f"/run/tradepost/{one.name}/search/socket")
        expect(socket.is_socket(), str(socket))
        equal(said(f"stat -c '%U %a' {socket.parent} /var/lib/tradepost/{one.name}/search").splitlines(),
              [f"tradepost-{one.name} 700"] * 2, "owners and modes")
        for user in (f"tradepost-{other.name}", "www-data"):
            refused = run(f"runuser -u {user} -- test -w {socket}", check=False)
            expect(refused.returncode != 0, f"{user} reaches {socket}")
        seen = pathlib.Path(f"/proc/{main_pid(f'tradepost-search@{one.name}.service')}/root")
        equal(os.listdir(seen / "var/lib/tradepost" / one.name), ["search"], "what the server sees of the store")
        equal(sorted(os.listdir(seen / "run/tradepost" / one.name)), ["search"], "what it sees of the sockets")
        equal(list(seen.glob("etc/tradepost/*")), [], "what it sees of the configuration")


def test_a_reload_starts_the_indexer_with_new_settings():
    before = main_pid(INDEX)
    run("systemctl reload tradepost@north.service")
    wait_until(lambda: main_pid(INDEX) not in ("0", before), "a new indexer")
    wait_found(write())


def test_what_is_written_is_found():
    for _ in range(10):
        wait_found(write())
    lines = doctor()
    known = "ok   search server answers: Sphinx 2.2.11-id64-release (95ae9a6)"
    if lines[0] != known and lines[0].startswith("ok   search server answers: Sphinx 2.2."):
        print(f"WARNING another version: {lines[0]!r} instead of {known!r}")
        known = lines[0]
    equal(lines, [
        known,
        f"ok   tradepost-index runs: {said('uname -n')}, process {main_pid(INDEX)}",
    ] + [f"ok   index of {table}" for table in sorted(("events", "jobs", "posts", "stock_items", "enquiries"), key=order)], "doctor")


def order(table):
    """As doctor names them."""
    text = pathlib.Path("/run/tradepost/north/search/searchd.conf").read_text()
    return text.index(f"index {table}_")


def test_figures_tell_how_far_the_index_is_behind():
    wait_until(lambda: figure("tradepost_search_index_queue") == ["0"] * 5, "nothing waits")
    run(f"systemctl stop {INDEX}")
    try:
        write()
        wait_until(lambda: figure('tradepost_search_index_queue{collection="jobs"}') == ["1"], "a change that waits")
        wait_until(lambda: float(figure('tradepost_search_index_lag_seconds{collection="jobs"}')[0]) > 5, "its age")
        wait_until(lambda: "search index" not in said("mariadb -N -e 'SELECT name FROM tradepost_north.leases WHERE expires_at > UTC_TIMESTAMP()'"),
                   "the lease's end")
        lines = complaints(1)
        equal(lines[0], "FAIL tradepost-index runs: systemctl restart tradepost-index@north: without it nothing that is written is found", "doctor")
        expect(re.fullmatch(r"WARN index of jobs is \d+\.\d s behind: 1 changes wait: after an import wait; else see the log of "
                            r"tradepost-index, or systemctl restart tradepost-index@north", lines[1]), lines[1])
        equal(len(lines), 2, "\n".join(lines))
    finally:
        run(f"systemctl start {INDEX}")
    wait_until(lambda: figure("tradepost_search_index_queue") == ["0"] * 5, "nothing waits")
    expect(int(figure('tradepost_search_seconds_count{engine="sphinx"}')[0]) > 0, "searches are counted")


def killed(unit):
    pid, word = main_pid(unit), write()
    kill(unit)
    word_after = write()
    equal(north.get("/api/v1/jobs").status, 200, "a list without q")
    wait_found(word, word_after)
    wait_until(lambda: main_pid(unit) not in (pid, "0"), f"a new {unit}")


def test_a_killed_indexer_takes_up_where_it_was():
    for _ in range(3):
        killed(INDEX)


def test_a_killed_server_comes_back_with_its_index():
    since = cursor()
    for _ in range(3):
        killed(SEARCH)
    expect("index_rebuilt" not in north.journal(INDEX, since), "an index was built anew")


def test_a_stop_ends_it_cleanly_and_keeps_the_index():
    word, since = write(), cursor()
    wait_found(word)
    run(f"systemctl restart {SEARCH}")
    equal(said(f"systemctl show -P Result {SEARCH}"), "success", "how it ended")
    wait_until(lambda: "shutdown complete" in north.journal(SEARCH, since), "its last line")
    wait_found(word)
    expect("index_rebuilt" not in north.journal(INDEX, since), "an index was built anew")


def test_without_the_server_lists_go_on_and_doctor_says_so():
    run(f"systemctl stop {SEARCH}")
    try:
        answer = north.get("/api/v1/jobs?q=fitter")
        equal((answer.status, answer.json()), (503, {"error": "Search unavailable"}), "a search")
        equal(north.get("/api/v1/jobs").status, 200, "a list without q")
        lines = complaints(1)
        expect(lines[0].startswith("FAIL search server answers: install sphinxsearch and systemctl restart tradepost-search@north, or correct "),
               f"{lines}")
    finally:
        run(f"systemctl start {SEARCH}")
    wait_found(write())


def test_a_restart_of_the_workers_leaves_the_server_alone():
    server, indexer = main_pid(SEARCH), main_pid(INDEX)
    run("systemctl restart tradepost@north.service")
    equal(main_pid(SEARCH), server, "the server")
    expect(main_pid(INDEX) != indexer, "the indexer is a new one")
    wait_found(write())


def test_emptied_files_are_built_anew():
    word = write()
    wait_found(word)
    kill(SEARCH)
    run(f"rm -rf {STORE}/*")
    wait_found(word, write())
    # The indexes of other resources may still be built.
    wait_until(lambda: north.ctl("doctor --no-web", check=False).returncode == 0, "doctor")
    equal(complaints(0), [], "doctor")


def test_an_older_copy_of_the_files_catches_up():
    run(f"systemctl stop {SEARCH} && cp -a {STORE} /var/tmp/older && systemctl start {SEARCH}")
    words = [write() for _ in range(3)]
    wait_found(*words)
    since = cursor()
    run(f"systemctl stop {SEARCH} && rm -rf {STORE} && mv /var/tmp/older {STORE} && systemctl start {SEARCH}")
    wait_found(*words, write())
    expect("index_rebuilt" not in north.journal(INDEX, since), "an index was built anew")


def test_an_older_database_is_followed_back():
    kept, backup = write(), "/var/tmp/older.sql"
    wait_found(kept)
    run(f"mariadb-dump --single-transaction tradepost_north >{backup}")
    lost = write()
    wait_found(lost)
    run("systemctl stop tradepost@north.target")
    run(f"mariadb -e 'DROP DATABASE tradepost_north; CREATE DATABASE tradepost_north CHARACTER SET utf8mb4' && mariadb tradepost_north <{backup}")
    run("systemctl start tradepost@north.target")
    north.wait_ready()
    wait_found(kept, write())
    wait_until(lambda: north.get(f"/api/v1/jobs?q={lost}").data()["total"] == 0, "what the backup does not have")


def test_a_full_disk_costs_searches_only():
    run(f"systemctl stop {SEARCH}")
    run(f"mount -t tmpfs -o size=4m,mode=0700,uid=$(id -u tradepost-north),gid=$(id -g tradepost-north) none {STORE}")
    try:
        run(f"systemctl start {SEARCH}")
        wait_found(write())
        run(f"cat /dev/zero >{STORE}/filling 2>/dev/null || true")
        words = [write() for _ in range(20)]
        kill(SEARCH)
        words.append(write())
        for _ in range(20):
            equal(north.get("/api/v1/jobs").status, 200, "a list without q")
            expect(north.get(f"/api/v1/jobs?q={words[0]}").status in (200, 503), "a search")
        (STORE / "filling").unlink()
        wait_found(*words)
    finally:
        run(f"systemctl stop {SEARCH}; umount {STORE}; systemctl start {SEARCH}")
    wait_found(write())
    # The indexes of other resources may still be built.
    wait_until(lambda: north.ctl("doctor --no-web", check=False).returncode == 0, "doctor")
    equal(complaints(0), [], "doctor")


def test_files_of_no_index_are_removed_at_a_start():
    word = write()
    wait_found(word)
    run(f"systemctl stop {SEARCH}")
    for path in (STORE / "data").glob("jobs_*"):
        path.rename(path.parent / path.name.replace("jobs_", "jobs_of_no_version_"))
    run(f"systemctl start {SEARCH}")
    expect(not list((STORE / "data").glob("*of_no_version*")), "the files of no index")
    wait_found(word, write())
    expect(list((STORE / "data").glob("jobs_*")), "files of this release")


def test_a_change_of_engine_needs_a_restart_only():
    before = north.toml.read_text()
    north.toml.write_text(before.replace('engine = "sphinx"', 'engine = "mysql"'))
    try:
        run("systemctl restart tradepost@north.target")
        north.wait_ready()
        for unit in (SEARCH, INDEX):
            equal((north.active(unit), said(f"systemctl show -P Result {unit}")), ("inactive", "exec-condition"), unit)
        word = write()
        expect(found(word), "the database finds it at once")
        equal(complaints(0), [], "doctor of an instance with few rows")
        many = ("INSERT INTO posts (id, slug, title, tags, listed, published_at, created_at, updated_at) SELECT UNHEX(LPAD(HEX(seq), 32, '0')), "
                "CONCAT('many-', seq), 'Many', '[]', 1, NOW(3) - INTERVAL 1 DAY, NOW(3), NOW(3) FROM seq_1_to_100001; "
                "INSERT INTO post_search SELECT id, CONCAT(' ', REPEAT('tokmany ', 120)) FROM posts WHERE slug LIKE 'many-%'")
        run(f"mariadb tradepost_north -e \"{many}\"")
        north.ctl("recount --totals")
        (complaint,) = complaints(0)
        expect(complaint.startswith("WARN search in posts by the database: a search for its most common words takes "), complaint)
        run("mariadb tradepost_north -e \"DELETE FROM posts WHERE slug LIKE 'many-%'\"")
        north.ctl("recount --totals")
    finally:
        north.toml.write_text(before)
    run("systemctl restart tradepost@north.service")
    wait_found(word, write())


def test_a_configuration_with_a_fault_is_no_reason_to_stay_away():
    before = north.toml.read_text()
    north.toml.write_text("[search\n")
    run(f"systemctl restart --no-block {INDEX} {SEARCH}")
    try:
        wait_until(lambda: north.active(INDEX) == "activating", "it waits")
    finally:
        north.toml.write_text(before)
    wait_found(write())


def test_an_upgrade_keeps_server_and_index():
    server, indexer, word, since = main_pid(SEARCH), main_pid(INDEX), write(), cursor()
    wait_found(word)
    run(f"dpkg --install {PACKAGES}/tradepost-next.deb", timeout=300)
    equal(main_pid(SEARCH), server, "the server")
    expect(main_pid(INDEX) != indexer, "the indexer is a new one")
    wait_found(word, write())
    expect("index_rebuilt" not in north.journal(INDEX, since), "an index was built anew")


class Searches:
    """Two clients who search all the time, one for a job and one for a stock item that are there once each, and count the answers."""

    def __init__(self, word):
        self.paths = [f"/api/v1/jobs?q={word}", f"/api/v1/stock?q={word}"]
        self.answers = collections.Counter()
        self.stop = threading.Event()
        self.threads = [threading.Thread(target=self.search, args=(path,), daemon=True) for path in self.paths]

    def search(self, path):
        while not self.stop.is_set():
            try:
                answer = north.get(path)
                what = (path.split("?")[0], answer.status, answer.data()["total"] if answer.status == 200 else answer.body)
            except OSError as error:
                what = (path, repr(error))
            self.answers[what] += 1

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        self.wait_for_more()
        return self

    def wait_for_more(self):
        target = self.answers.total() + 50
        wait_until(lambda: self.answers.total() > target, "more answers")

    def __exit__(self, kind, *_):
        if not kind:
            self.wait_for_more()
        self.stop.set()
        for thread in self.threads:
            thread.join(90)
        print(f"     answers: {dict(self.answers)}")

    def check(self):
        equal(set(self.answers), {("/api/v1/jobs", 200, 1), ("/api/v1/stock", 200, 1)}, f"answers {self.answers}")


def other_columns():
    """A next version whose indexes have another column: that has another name in its programs."""
    folder = "/var/tmp/other-columns"
    if not os.path.exists(f"{folder}.deb"):
        run(f"""dpkg-deb --raw-extract {PACKAGES}/tradepost-next.deb {folder}
            LC_ALL=C sed -i s/id_high/id_left/g {folder}/usr/bin/tradepostctl {folder}/usr/sbin/tradepost-{{worker,index}}
            sed -i 's/^Version: .*/&+columns/' {folder}/DEBIAN/control
            dpkg-deb -Zgzip --root-owner-group --build {folder} {folder}.deb""")
    return f"{folder}.deb"


def index_names():
    """Of the indexes that this version searches."""
    north_conf = said("tradepostctl --instance north config sphinx /x")
    return set(re.findall(r"(?m)^index (\S+)", north_conf))


def sql(statement):
    return said(f'mariadb -N tradepost_north -e "{statement}"')


def building(table):
    return sql(f"SELECT 1 FROM leases WHERE name LIKE 'build index {table}%' AND expires_at > UTC_TIMESTAMP(3)") == "1"


def write_for_upgrades():
    """Rows that take some seconds to index, and one of each kind with a word of their own."""
    if int(sql("SELECT COUNT(*) FROM stock_items")) < 10000:
        north.ctl("demo --jobs 10000 --stock 60000", timeout=600)
    word = write()
    north.call("POST", "/api/v1/stock", {"reference": word, "title": f"Van {word}"}).data()
    wait_found(word)
    wait_until(lambda: north.get(f"/api/v1/stock?q={word}").data()["total"] == 1, "the stock item")
    return word


def test_an_upgrade_with_other_columns_interrupts_no_search():
    word, before, server = write_for_upgrades(), index_names(), main_pid(SEARCH)
    with Searches(word) as searches:
        run(f"dpkg --install {other_columns()}", timeout=600)
    searches.check()
    expect(not before & index_names(), "the new version has indexes of its own")
    equal(main_pid(SEARCH), server, "the server takes up the new indexes as it runs")
    wait_found(word, write())
    equal(complaints(0), [], "doctor")


def dropped(names):
    """Whether the server has nothing in these indexes any more."""
    socket, pairs = "/run/tradepost/north/search/socket", {name[:-2] for name in names}
    counts = said("".join(f"mariadb --no-defaults -S {socket} -N -e 'SELECT COUNT(*) FROM {name}';" for name in sorted(names)))
    return set(counts.split()) == {"0"} and not pairs & set(sql("SELECT list FROM search_indexes").split())


def test_indexes_of_the_version_before_are_dropped():
    others = set(said("tac /run/tradepost/north/search/searchd.conf | grep -oP '^index \\K.*'").split()) - index_names()
    equal(len(others), 10, f"indexes that were kept: {others}")
    expect(not dropped(others), "they are kept for a while")
    sql("UPDATE change_readers SET seen_at = seen_at - INTERVAL 11 MINUTE WHERE " +
        " OR ".join(f"name LIKE 'search %{name[:-2].rsplit('_')[-1]}%'" for name in others))
    wait_until(lambda: dropped(others), f"{others} are dropped", 90)
    word = write()
    wait_found(word)
    equal(complaints(0), [], "doctor")


def test_a_killed_downgrade_interrupts_no_search_and_is_finished():
    """To the version before, whose indexes are gone."""
    word, wanted = write_for_upgrades(), index_names()
    with Searches(word) as searches:
        dpkg = subprocess.Popen(["dpkg", "--install", f"{PACKAGES}/tradepost-next.deb"], start_new_session=True)
        wait_until(lambda: building("stock_items"), "the index is being built")
        later = write()
        os.killpg(dpkg.pid, signal.SIGKILL)
        dpkg.wait()
        equal(said("dpkg-query -W -f '${db:Status-Status}' tradepost"), "half-configured", "the package")
        wait_found(later)
        searches.wait_for_more()
        run("dpkg --configure -a", timeout=600)
        expect(found(later), "what was written meanwhile is found at once")
    searches.check()
    expect(not wanted & index_names(), "the indexes of this version")
    wait_found(word, write())
    equal(complaints(0), [], "doctor")


def test_removal_takes_the_index_and_leaves_the_rest():
    run("tradepost-instance remove south")
    expect(not pathlib.Path("/var/lib/tradepost/south/search").exists(), "the index of south")
    expect(pathlib.Path("/var/lib/tradepost/south").is_dir(), "south's uploads")
    for unit in ("tradepost-search@south.service", "tradepost-index@south.service"):
        wait_until(lambda: south.active(unit) in ("inactive", "failed"), unit)
    wait_found(write())


def test_another_search_section_is_not_touched():
    before = north.toml.read_text()
    north.toml.write_text(before.replace('engine = "sphinx"', 'engine = "mysql"'))
    try:
        refused = run(f"tradepost-instance add north {north.host} --search sphinx", check=False)
        expect(refused.returncode == 1 and 'north.toml has a [search] already: set there engine = "sphinx"' in refused.stderr, refused.stderr)
    finally:
        north.toml.write_text(before)
