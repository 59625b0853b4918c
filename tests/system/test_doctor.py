"""Each fault of an installed instance is made, and `tradepostctl doctor` names it in one line with its cure, and nothing else."""
import contextlib
import datetime
import pathlib

from host import equal, expect, north, run, said, wait_until

CERTIFICATE = "/etc/tradepost/north.crt"
READ_ONLY = ("the database is read-only: The MariaDB server is running with the --read-only option so it cannot execute this statement (1290); "
             "SHOW VARIABLES LIKE '%read_only' tells why. Let [database] name the server that takes writes, or run SET GLOBAL read_only = OFF there")


def doctor(options=f"--cacert {CERTIFICATE}"):
    """What it complains of; its exit status is 1 if one of it is a failure."""
    done = north.ctl(f"doctor {options}", check=False)
    found = [line for line in done.stdout.splitlines() if not line.startswith("ok ")]
    equal((done.returncode, done.stderr), (int(any(line.startswith("FAIL") for line in found)), ""), done.stdout)
    return found


def test_a_literal_installation_has_warnings_only():
    trust = ("is not trusted: SSL certificate problem: self-signed certificate: for tests that will do; else take one that a CA has issued, with its "
             'chain (OPERATORS.md, "Installation"), or name the file of your CA with --cacert')
    equal(doctor(""), [
        'WARN the instance was never backed up: set directory of [backup], and systemctl enable --now tradepost-backup@north.timer, or run '
        'tradepost-instance backup (OPERATORS.md, "Backup and restore")',
        "WARN nginx has connections for more than one client: worker_connections is 768 in /etc/nginx/nginx.conf, and one client may take 800: set at "
        "least 1600",
        "WARN nginx may open files for its connections: it may open 1024: set worker_rlimit_nofile 1536 in /etc/nginx/nginx.conf",
        f"WARN certificate of {north.base} {trust}"], "without what comes later in the manual")
    # As it advises.
    run("sed -i 's/worker_connections .*/worker_connections 1600;/; 1i worker_rlimit_nofile 3200;' /etc/nginx/nginx.conf && systemctl reload nginx && "
        "tradepost-instance backup north /var/backups")
    equal(doctor(), [], "afterwards, with its own certificate trusted")


def unit(name):
    return f"tradepost{name.replace('.', '@north.')}"


@contextlib.contextmanager
def shell(begin, end):
    run(begin)
    try:
        yield
    finally:
        run(end)
        north.wait_ready()


def stopped(name):
    return shell(f"systemctl stop {unit(name)}", f"systemctl start {unit(name)}")


def replaced(name, program):
    folder = f"/run/systemd/system/{unit(name)}.d"
    return shell(f"mkdir {folder} && printf '[Service]\\nExecStart=\\nExecStart={program}\\n' >{folder}/fault.conf && systemctl daemon-reload && "
                 f"systemctl restart --no-block {unit(name)}",
                 f"rm -r {folder} && systemctl daemon-reload && systemctl restart {unit(name)}")


def variable(name, value):
    before = said(f"mariadb -N -e 'SELECT @@global.{name}'")
    return shell(f"mariadb -e 'SET GLOBAL {name} = {value}'", f"mariadb -e 'SET GLOBAL {name} = {before}'")


@contextlib.contextmanager
def certificate(days, name):
    files = [pathlib.Path(CERTIFICATE), pathlib.Path(CERTIFICATE).with_suffix(".key")]
    before = [file.read_bytes() for file in files]
    run(f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days {days} -subj /CN={name} -addext subjectAltName=DNS:{name} "
        f"-out {files[0]} -keyout {files[1]} && nginx -t && systemctl reload nginx")
    try:
        yield
    finally:
        for file, text in zip(files, before):
            file.write_bytes(text)
        run("systemctl reload nginx")
        wait_until(north.ready, "the old certificate")


def day(days):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)).date().isoformat()


def faults():
    run_again = "systemctl start "
    deliver = f"FAIL {unit('-deliver.service')} does not run: {run_again}{unit('-deliver.service')}; letters, webhooks and push messages wait for it"
    yield stopped("-deliver.service"), [deliver]
    yield stopped("-prune.timer"), [f"FAIL {unit('-prune.timer')} does not run: {run_again}{unit('-prune.timer')}; expired data stays without it"]
    # The requests of doctor start the uploads pool, and with it this socket.
    yield stopped("-spool.socket"), [
        f"FAIL {unit('-spool.socket')} does not run: {run_again}{unit('-spool.socket')}; large files cannot be uploaded without it"]
    # With the socket its pool ends, and with that tradepost-deliver.
    yield stopped(".socket"), [
        f"FAIL {unit('.socket')} does not run: {run_again}{unit('.socket')}; nginx reaches no worker without it", deliver,
        "FAIL socket /run/tradepost/north/api.sock: No such file or directory: start the api pool, or name their folder with --sockets"]
    # Pools that a request starts may be stopped.
    yield stopped(".service"), [deliver]
    for name in ("-auth.service", "-uploads.service", "-spool.service"):
        yield stopped(name), []
    yield shell(f"systemctl mask --runtime --now {unit('-prune.timer')}", f"systemctl unmask --runtime {unit('-prune.timer')} && {run_again}"
                f"{unit('-prune.timer')}"), [
        f"FAIL {unit('-prune.timer')} is masked: systemctl unmask {unit('-prune.timer')}, and systemctl start {unit('-prune.timer')}"]
    yield replaced("-deliver.service", "/bin/false"), [
        f"FAIL {unit('-deliver.service')} ends again and again (exit-code): journalctl -u {unit('-deliver.service')} tells why"]
    yield replaced("-prune.service", "/bin/false"), [
        f"FAIL {unit('-prune.service')} failed (exit-code): journalctl -u {unit('-prune.service')} tells why; then systemctl restart "
        f"{unit('-prune.service')}"]
    # Without a directory in the settings.
    yield shell(f"! systemctl start {unit('-backup.service')}", f"systemctl reset-failed {unit('-backup.service')}"), [
        f"FAIL {unit('-backup.service')} failed (exit-code): journalctl -u {unit('-backup.service')} tells why; then systemctl restart "
        f"{unit('-backup.service')}"]
    yield stopped(".target"), [f"FAIL {unit('.target')} does not run: systemctl enable --now {unit('.target')}"]
    yield shell(f"systemctl disable {unit('.target')}", f"systemctl enable {unit('.target')}"), [
        f"WARN {unit('.target')} does not start with this host: systemctl enable {unit('.target')}"]
    yield shell("systemctl stop nginx", "systemctl start nginx"), [
        "FAIL nginx does not run: systemctl status nginx tells why; then systemctl start nginx"]
    yield variable("read_only", 1), [f"FAIL database takes writes: {READ_ONLY}"]
    yield variable("max_connections", 23), [
        "WARN 2 instances of this host may open 14 of 23 connections of the database server: set max_connections = 24 in the server's configuration, or "
        "lower max_connections of [database] in the instances' settings"]
    yield certificate(10, north.host), [
        f"WARN certificate of {north.base} ends on {day(10)}: renew it, as with certbot renew, and run systemctl reload nginx"]
    yield certificate(100, "other.test"), [
        f'FAIL certificate of {north.base}: it is for another host: put one for this host there (OPERATORS.md, "Installation"), or end the other web '
        "server that answers at this address"]


def test_each_fault_is_named_with_its_cure():
    wrong = []
    for fault, expected in faults():
        with fault:
            try:
                # A unit that is started again, or a reload, takes a moment.
                wait_until(lambda: doctor() == expected, "", 20)
            except AssertionError:
                wrong.append(f"{doctor()} is not {expected}")
        equal(doctor(), [], f"after {expected}")
    expect(not wrong, "\n".join(wrong))


def test_a_read_only_database_is_not_ready():
    equal(north.get("/api/v1/jobs").status, 200, "the first list, which creates a key")
    with variable("read_only", 1):
        answer = north.get("/readyz")
        equal((answer.status, answer.json()), (503, {"error": "Service unavailable"}), "/readyz")
        equal(north.get("/api/v1/jobs").status, 200, "a list")
        answer = north.call("POST", "/api/v1/auth", {"email": "sign-in@dealer.test", "password": "correct horse 9 battery"})
        equal(answer.status, 503, "a sign-in")
        journal = north.journal("tradepost@north.service", "-1min")
        expect(f'why="{READ_ONLY}"' in journal, journal)
        journal = north.journal("tradepost-auth@north.service", "-1min")
        expect("--read-only option so it cannot execute this statement (1290): " in journal, journal)
    equal(north.get("/readyz").status, 200, "/readyz")
