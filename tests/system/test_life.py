"""The package's whole life beside another site: each step as it should be, killed in the middle, and cut off by a power failure, in a system
that keeps its files from one boot to the next. After each step nginx's configuration is right, nginx restarts, and all sites answer."""
import ctypes
import json
import pathlib
import signal
import subprocess
import time

import host
from host import PACKAGES, equal, expect, north, run, said, south, wait_until

STATE = host.RESULTS / "life.json"
REBOOT, POWER_OFF = 0x01234567, 0x4321FEDC
# How each step of a round is interrupted, and after which part of the time that it took in the first round.
ROUNDS = [("as it should be", None, 1), ("killed early", "kill", 0.3), ("killed late", "kill", 0.75), ("power failure", "power", 0.5)]


def install(package):
    return f"dpkg --install {PACKAGES}/{package}.deb"


# name, command, the instances that answer afterwards, whether it is refused
STEPS = [
    ("install", install("tradepost"), "", False),
    ("add", f"tradepost-instance add north {north.host} && systemctl enable --now tradepost@north.target", "north", False),
    ("add a second", f"tradepost-instance add south {south.host} && systemctl enable --now tradepost@south.target", "north south", False),
    ("upgrade", install("tradepost-fix"), "north south", False),
    ("downgrade", install("tradepost"), "north south", False),
    ("upgrade with a migration", install("tradepost-next"), "north south", False),
    ("downgrade that the schema refuses", install("tradepost"), "north south", True),
    ("reboot", None, "north south", False),
    ("remove the package", "dpkg --remove tradepost", "", False),
    ("reinstall", install("tradepost-next"), "north south", False),
    ("remove an instance", "tradepost-instance remove south", "north", False),
    ("purge an instance", "tradepost-instance purge south --yes", "north", False),
    ("purge the package", "dpkg --purge tradepost", "", False),
]


def power(how):
    ctypes.CDLL(None).reboot(how)
    time.sleep(60)


def other_site():
    """Another site of the host, and a host name for each instance."""
    pathlib.Path("/etc/hosts").open("a").write(f"127.0.0.1 {north.host} {south.host} other.test\n")
    run("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other.test -addext subjectAltName=DNS:other.test "
        "-keyout /etc/ssl/private/other.key -out /etc/ssl/other.crt")
    pathlib.Path("/etc/nginx/sites-available/other").write_text(
        "server { listen 80; listen 443 ssl; server_name other.test; ssl_certificate /etc/ssl/other.crt; ssl_certificate_key /etc/ssl/private/other.key;"
        "location / { return 200 other; } }\n")
    run("ln -s ../sites-available/other /etc/nginx/sites-enabled/other && systemctl restart nginx")


def check_host(instances):
    """Others are served, whatever state the product is in; and the instances that should be."""
    tested = run("nginx -t", check=False)
    expect(tested.returncode == 0, f"nginx -t: {tested.stderr}")
    run("systemctl reset-failed nginx; systemctl restart nginx")
    for scheme in ("http", "https"):
        equal(said(f"curl --silent --cacert /etc/ssl/other.crt {scheme}://other.test/"), "other", f"the other site by {scheme}")
    for instance in (north, south):
        if instance.name in instances.split():
            instance.wait_ready()
            equal(instance.get("/api/v1/jobs").status, 200, f"{instance.name}'s jobs")


def do(command, how, seconds):
    """Runs the command, and kills it with all that it started after some seconds. Returns its exit status and output."""
    process = subprocess.Popen(["setsid", "bash", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        output, _ = process.communicate(timeout=seconds if how else 300)
    except subprocess.TimeoutExpired:
        if how == "power":
            power(POWER_OFF)
        run(f"pkill -KILL -s {process.pid}", check=False)
        process.wait()
        return None, ""
    return process.returncode, output


def finish(command):
    """What an administrator does after an interruption: dpkg finishes what it began, and the command is given again."""
    if command.startswith("dpkg"):
        run("dpkg --configure --pending", timeout=300)
    done = run(command, check=False, timeout=300)
    return done.returncode, done.stdout + done.stderr


def step(state, index):
    name, command, instances, refused = STEPS[index]
    _, how, part = ROUNDS[state["round"]]
    if not command:
        if not state["interrupted"]:
            state["interrupted"] = True
            STATE.write_text(json.dumps(state))
            power(REBOOT if how is None else POWER_OFF)
        check_host(instances)
        return
    if state["interrupted"]:
        code = None
    else:
        state["interrupted"] = how == "power"
        STATE.write_text(json.dumps(state))
        begun = time.monotonic()
        code, output = do(command, how, part * state["took"].get(name, 0))
        if not how:
            state["took"][name] = time.monotonic() - begun
    if code is None:
        check_host("")
        code, output = finish(command)
        # It was done already.
        if "purge an" in name and "there is nothing of an instance" in output or "remove an" in name and "there is no /etc/tradepost/south.toml" in output:
            code = 0
    expect((code != 0) == refused, f"exit status {code}: {output[-800:]}")
    if refused:
        expect("Nothing was changed" in output, output)
    check_host(instances)


def clean_up():
    """What purging leaves, so that the next round begins anew."""
    for instance in (north, south):
        run(f"mariadb -e 'DROP DATABASE IF EXISTS tradepost_{instance.name}; DROP USER IF EXISTS tradepost_{instance.name}@localhost'")
        run(f"rm -rf /var/lib/tradepost/{instance.name} /var/log/nginx/tradepost-{instance.name}.log; ! id tradepost-{instance.name} || userdel tradepost-{instance.name}", check=False)
        run(f"groupdel tpfiles-{instance.name}", check=False)


def prepare():
    run("systemctl start mariadb nginx")
    if not STATE.exists():
        other_site()
        STATE.write_text(json.dumps({"round": 0, "step": 0, "interrupted": False, "took": {}, "table": [], "passed": 0, "failed": 0}))


def all_tests():
    state = json.loads(STATE.read_text())
    while state["round"] < len(ROUNDS):
        title = ROUNDS[state["round"]][0]
        while state["step"] < len(STEPS):
            name = STEPS[state["step"]][0]
            try:
                step(state, state["step"])
            except AssertionError as error:
                (host.RESULTS / f"life.{state['round']}-{state['step']}.journal").write_text(said("journalctl -b --no-pager -o short-precise", check=False))
                print(f"FAIL {name}, {title}\n" + "\n".join(f"  {line}" for line in str(error).splitlines()))
                state["failed"] += 1
                state["table"].append((name, title, "FAILED"))
            else:
                print(f"ok   {name}, {title}")
                state["passed"] += 1
                state["table"].append((name, title, "ok"))
            state.update(step=state["step"] + 1, interrupted=False)
            STATE.write_text(json.dumps(state))
        clean_up()
        state.update(round=state["round"] + 1, step=0)
        STATE.write_text(json.dumps(state))
    lines = ["|".join(["step", *(title for title, _, _ in ROUNDS)])]
    for name, *_ in STEPS:
        lines.append("|".join([name, *(result for each, _, result in state["table"] if each == name)]))
    with (host.RESULTS / "faults").open("a") as file:
        file.write("\n".join(lines) + "\n")
    return state["passed"], state["failed"]
