"""Sets up the cluster of the operators' page, then breaks one part after the other under load."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import traceback

import checks
import machines
import operations
from load import HEADER, Load, Site
from machines import Listener, Machine, command, wait_until
from page import Page

HOST = "shop.example.com"
SETTLE = 4  # seconds of load before a fault and after its end
CLIENT = 100  # the last number of this process's address
ADDRESSES = {"lb": 41, "api1": 21, "api2": 22, "db1": 11, "db2": 12, "db3": 13, "cache1": 31, "cache2": 32}
DATABASES = ("db1", "db2", "db3")
PLAIN = "Van [0-9a-f]{12} "  # the titles of load.py
DATABASE_MEGABYTES = 1500
# No release of Debian has a package of MySQL's server; this is what one does.
MYSQL_UNIT = """[Unit]
Description=MySQL
[Service]
User=mysql
RuntimeDirectory=mysqld
LimitNOFILE=10000
Restart=on-failure
ExecStart=/usr/local/bin/mysqld
[Install]
WantedBy=multi-user.target
"""
MYSQL_CONFIGURATION = """[mysqld]
datadir = /var/lib/mysql
socket = /run/mysqld/mysqld.sock
mysqlx = OFF
log_error_verbosity = 2
[client]
socket = /run/mysqld/mysqld.sock
!includedir /etc/mysql/conf.d/
"""
MYSQL_INSTALL = """
id mysql >/dev/null 2>&1 || useradd --system --no-create-home mysql
install -d -o mysql -m 700 /var/lib/mysql /var/lib/mysql-files
mkdir -p /etc/mysql/conf.d
runuser -u mysql -- mysqld --initialize-insecure
systemctl daemon-reload
systemctl enable --now mysql
for try in $(seq 100); do mysql -e 'DO 0' 2>/dev/null && exit; sleep 0.1; done
exit 1
"""


class Cluster:
    def __init__(self, kind):
        self.kind = kind
        shutil.rmtree(machines.WORK / "machines", ignore_errors=True)  # of a run that was killed
        self.uploads = machines.WORK / "machines/uploads"
        self.uploads.mkdir(parents=True)
        shutil.chown(self.uploads, 870, 871)
        self.uploads.chmod(0o750)
        machines.make_switch()
        machines.join_switch(CLIENT)
        self.hosts = {name: Machine(name, number, machines.WORK / "root",
                                    [f"{self.uploads}:/var/lib/tradepost/shop"] if name.startswith("api") else [],
                                    f"{HOST} database" if name == "lb" else "")
                      for name, number in ADDRESSES.items()}
        self.databases = [self.hosts[name] for name in DATABASES]
        self.apis = [self.hosts["api1"], self.hosts["api2"]]

    def __getattr__(self, name):
        return self.hosts[name]

    def boot(self):
        for host in self.databases:  # so that one disk can be filled
            host.tmpfs("/var/lib/mysql", DATABASE_MEGABYTES)
        for host in self.apis:
            shutil.copy(os.environ["PACKAGE"], host.root / "srv/tradepost.deb")
        for host in self.hosts.values():
            host.start()
        for host in self.hosts.values():
            host.await_boot()
        if self.kind == "group":
            for host in self.databases:
                host.write("/etc/systemd/system/mysql.service", MYSQL_UNIT)
                host.write("/etc/mysql/my.cnf", MYSQL_CONFIGURATION)
                host.run(MYSQL_INSTALL)

    def follow(self):
        page = self.page()
        operations.set_up_firewall(self, page, f"{machines.NETWORK}.{CLIENT}")
        page.follow("Certificates")
        operations.copy_certificates(self)
        for title in (self.database_title, "Counters", "API hosts", "Load balancer"):
            page.follow(title)

    def page(self, changes=()):
        return Page(self.hosts, self.kind, changes)

    def add_dealer(self):
        for api in self.apis:
            for rate in ("auth", "auth_address", "public", "write"):
                api.run(f"sed -i '/^.rate_limits.$/a {rate} = \"1000000/1m\"' /etc/tradepost/shop.toml")
            api.run("systemctl reload tradepost@shop tradepost-auth@shop tradepost-uploads@shop")
        ctl = "tradepostctl --instance shop"
        self.api1.run(f"{ctl} org add --name Dealer --slug dealer --published")
        self.api1.run(f"{ctl} user add --email user@dealer.test --name User --password-stdin", input="correct horse 9 battery\n")
        self.api1.run(f"{ctl} org add-member --org dealer --email user@dealer.test --role ADMIN")
        self.token = self.api1.said(f"{ctl} token mint --email user@dealer.test --name check")

    def site(self, host):
        return Site(HOST, host.address, machines.WORK / "ca.crt", self.token)

    def load(self):
        return Load(self.site(self.lb), [self.site(api) for api in self.apis])

    def exported(self):
        return wait_until(lambda: self.api1.said("tradepostctl --instance shop export stock -", check=False), "the stock's export")

    # The states of database nodes.

    def sql(self, host, statement, check=True):
        client = "mariadb" if self.kind == "galera" else "mysql"
        return host.said(f"timeout 20 {client} --batch --skip-column-names", check=check, input=statement)

    def is_in(self, host):
        if self.kind == "galera":
            return "Synced" in self.sql(host, "SHOW STATUS LIKE 'wsrep_local_state_comment'", check=False) and \
                self.sql(host, "SHOW STATUS LIKE 'wsrep_cluster_size'", check=False).endswith("3")
        return self.sql(host, "SELECT COUNT(*) FROM performance_schema.replication_group_members WHERE member_state = 'ONLINE'",
                        check=False) == "3"

    def writer(self):
        if self.kind == "galera":
            return self.db1
        name = self.sql(self.db2, "SELECT member_host FROM performance_schema.replication_group_members WHERE member_role = 'PRIMARY'")
        return self.hosts[name]

    @property
    def database_title(self):
        return "Database: Galera" if self.kind == "galera" else "Database: Group Replication"

    @property
    def group_port(self):
        return 4567 if self.kind == "galera" else 33061

    @property
    def database_unit(self):
        return "mariadb" if self.kind == "galera" else "mysql"

    def away(self):
        """The parts that do not serve."""
        states = self.lb.said("curl -s 'http://127.0.0.1:8404/;csv' | grep '^shop,api' | cut -d, -f2,18", check=False).split()
        return [host.name for host in self.databases if not self.is_in(host)] + [api.name for api in self.apis if not self.is_ready(api)] + \
            ([] if states == ["api1,UP", "api2,UP"] else [f"HAProxy: {states}"])

    def is_whole(self):
        return not self.away()

    def is_ready(self, api):
        return api.said(f"curl -s -o /dev/null -w '%{{http_code}}' --resolve {HOST}:443:127.0.0.1 --cacert /etc/cluster/ca.crt https://{HOST}/readyz",
                        check=False) == "200"

    def heal(self):
        try:
            wait_until(self.is_whole, "the cluster is not whole again", 180)
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.away()}")


# A fault is a function of the cluster. What it yields is the time at which it begins; the load goes on until its end.

def wait_for(seconds):
    time.sleep(seconds)


def killed(host):
    def fault(cluster):
        cluster.hosts[host].signal(cluster.database_unit, signal.SIGKILL)
        wait_for(15)
    return fault


def stopped(cluster):
    writer = cluster.writer()
    writer.run(f"systemctl stop {cluster.database_unit}")
    wait_for(10)
    writer.run(f"systemctl start {cluster.database_unit}")


def minority_cut_off(cluster):
    others = [host for host in cluster.databases if host is not cluster.writer()]
    cut = others[-1]
    cut.cut_off(*(host for host in cluster.databases if host is not cut))
    wait_for(15)
    cut.heal()


def writer_cut_off(cluster):
    writer = cluster.writer()
    writer.cut_off(*(host for host in cluster.databases if host is not writer))
    wait_for(25)
    writer.heal()


def writer_frozen(cluster):
    writer = cluster.writer()
    writer.signal(cluster.database_unit, signal.SIGSTOP)
    wait_for(25)
    writer.signal(cluster.database_unit, signal.SIGCONT)


def disk_full(cluster):
    writer = cluster.writer()
    writer.run("dd if=/dev/zero of=/var/lib/mysql/filler bs=1M 2>/dev/null || true")
    wait_for(20)
    # A server that ended for want of room is started by its operator.
    writer.run(f"rm -f /var/lib/mysql/filler; systemctl reset-failed; systemctl restart {cluster.database_unit}", timeout=120)


def api_killed(cluster):
    cluster.api1.kill()
    wait_for(10)
    cluster.api1.boot()


def cache_killed(cluster):
    cluster.cache1.kill()
    wait_for(10)
    cluster.cache1.boot()


def all_restarted(cluster):
    for host in reversed(cluster.databases):
        host.run(f"systemctl restart {cluster.database_unit}", timeout=120)
        wait_until(lambda: cluster.is_in(host), f"{host.name} does not come back")
    for host in (cluster.cache1, cluster.cache2):
        host.run("systemctl restart redis-server")
    for api in cluster.apis:
        api.run("systemctl restart tradepost@shop.target && systemctl restart nginx")
        wait_for(2)
        wait_until(cluster.is_whole, f"{api.name} does not come back")
    cluster.lb.run("systemctl reload haproxy")


def node_replaced(cluster):
    """By an empty one, which has to get all data from the others."""
    cluster.db3.run(f"systemctl stop {cluster.database_unit} && find /var/lib/mysql -mindepth 1 -delete")
    if cluster.kind == "group":
        cluster.db3.run(MYSQL_INSTALL)
    cluster.page().follow(cluster.database_title, only="db3")


def api_hosts_upgraded(cluster):
    """To a version with one migration more, one host after the other."""
    for api in cluster.apis:
        shutil.copy(machines.WORK / "next.deb", api.root / "srv/next.deb")
    for api in cluster.apis:
        api.run("apt-get install --yes /srv/next.deb")
        wait_for(2)
        wait_until(cluster.is_whole, f"{api.name} does not come back")


def writer_killed_behind_haproxy(cluster):
    cluster.page().follow("HAProxy between API hosts and database")
    wait_for(5)
    cluster.writer().signal(cluster.database_unit, signal.SIGKILL)
    wait_for(15)


FAULTS = {
    "kill_db1": killed("db1"), "kill_db2": killed("db2"), "kill_db3": killed("db3"), "stop_writer": stopped,
    "cut_off_minority": minority_cut_off, "cut_off_writer": writer_cut_off, "freeze_writer": writer_frozen, "fill_disk": disk_full,
    "kill_api_host": api_killed, "kill_cache": cache_killed, "restart_all": all_restarted, "replace_node": node_replaced,
    "renew_certificates": operations.certificates_renewed, "lose_majority": operations.majority_lost,
    "upgrade_api_hosts": api_hosts_upgraded, "migrate": operations.migrated, "kill_writer_behind_haproxy": writer_killed_behind_haproxy,
}
# Without load, since it would not last, or nothing is to be lost.
QUIET = {"read_metrics": operations.metrics_read, "back_in_time": operations.back_in_time}
# The longest outages in seconds. Group Replication orders nothing until a lost member is expelled, and a read waits for its order too.
READS, WRITES = {"galera": 1.0, "group": 20.0}, {"galera": 8.0, "group": 20.0}


# Where all that is served waits for administrators, or for the change of a large table.
WAITS = {"lose_majority": 120.0, "migrate": 60.0}


def run(cluster, name):
    if name in QUIET:
        QUIET[name](cluster)
        cluster.heal()
        print(f"{name}: as the page says", flush=True)
        return None, True
    begun = int(time.time())
    with Listener(PLAIN) as listener, cluster.load() as load:
        wait_for(SETTLE)
        since = time.monotonic()
        FAULTS[name](cluster)
        cluster.heal()
        wait_for(SETTLE)
    line = load.line(name, since, cluster.exported())
    print(line, flush=True)
    missing, doubled = load.missing_and_doubled(cluster.exported())
    faults = [what for what, holds in (
        ("acknowledged writes are missing", not missing), ("writes are doubled", not doubled), ("reads are stale", not load.stale),
        ("a request ended with 500", not any(outcome.status == 500 for outcome in load.outcomes)),
        ("the outage of reads is too long", load.longest_outage("read") <= WAITS.get(name, READS[cluster.kind])),
        ("the outage of writes is too long", load.longest_outage("write") <= WAITS.get(name, WRITES[cluster.kind])),
        (f"what was written crossed the network without encryption, at ports {listener.plain}", not listener.plain),
        (f"nobody used port {cluster.group_port}", cluster.group_port in listener.heard)) if not holds]
    for what in faults:
        print(f"  FAILED: {what}", flush=True)
    for error in load.stale[:5] + sorted({outcome.error for outcome in load.outcomes if outcome.error})[:5]:
        print(f"  {error}", flush=True)
    for api in cluster.apis:
        print(api.run(f"journalctl -t tradepost-shop --since=@{begun} | grep status=500 | tail -n 3", check=False).stdout, end="", flush=True)
    return line, not faults


def quiet_checks(cluster):
    """Without faults; returns how many passed and failed."""
    api1, api2 = (cluster.site(api) for api in cluster.apis)
    for api in cluster.apis:
        api.limit(checks.SLICE)
    one = two = 0.0
    for _ in range(3):  # in turn, so that what else the machine does changes both
        one += checks.answers_a_second([api1]) / 3
        two += checks.answers_a_second([api1, api2]) / 3
    for api in cluster.apis:
        api.limit(None)
    scales = two >= 1.8 * one
    print(f"reads a second, API hosts limited to {checks.SLICE} processors: one {one:.0f}, two {two:.0f}, {two / one:.2f} times as many", flush=True)
    for api, node in zip(cluster.apis, DATABASES[1:]):
        api.run(f"sed -i '/^hosts = /a reads = \"local\"\\nhost = \"{node}\"' /etc/tradepost/shop.toml && systemctl reload tradepost@shop")
    stale = checks.stale_reads(api1, api2)
    print(f"{checks.ROUNDS} writes on one host, each read on the other from its own node: {len(stale)} stale {stale[:3]}", flush=True)
    for api in cluster.apis:
        api.run("sed -i '/^reads = /d; /^host = /d' /etc/tradepost/shop.toml && systemctl reload tradepost@shop")
    good = [scales, not stale]
    return sum(good), len(good) - sum(good)


def main(kind):
    cluster = Cluster(kind)
    passed = failed = 0
    lines = []
    try:
        cluster.boot()
        cluster.follow()
        cluster.add_dealer()
        shutil.copy(cluster.db1.root / "etc/cluster/ca.crt", machines.WORK / "ca.crt")
        cluster.heal()
        if "FAULTS" not in os.environ:
            passed, failed = quiet_checks(cluster)
            readable = cluster.lb.said("find /etc/haproxy -name '*.pem' -perm /077")
            for what, good in ((f"the authority's key is on {operations.copies_of_key(cluster)}", operations.copies_of_key(cluster) == ["db1"]),
                               (f"files of HAProxy that others may read: {readable or 'none'}", not readable)):
                print(what, flush=True)
                passed, failed = passed + good, failed + (not good)
        for name in os.environ.get("FAULTS", " ".join([*FAULTS, *(each for each in QUIET if kind == "galera" or each != "back_in_time")])).split():
            try:
                line, good = run(cluster, name)
                lines += [line] if line else []
            except Exception:
                traceback.print_exc()
                good = False
            passed, failed = passed + good, failed + (not good)
    except Exception:
        traceback.print_exc()
        failed += 1
    finally:
        if os.environ.get("KEEP"):
            print(f"kept: nsenter --target {os.getpid()} --net --mount", flush=True)
            sys.stdin.read()
        machines.end()
    print("\n" + HEADER + "\n" + "\n".join(lines))
    print(f"{passed} passed, {failed} failed")


main(sys.argv[1])
