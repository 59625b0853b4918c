"""Hosts of a network of their own: each a Debian system that systemd boots in a namespace. They end with this process."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

WORK = pathlib.Path(os.environ["WORK"])
NETWORK = "10.77.0"
SWITCH = "switch"
# A control group of its own for each system, which systemd-nspawn takes for the root of all.
IN_GROUP = """set -e
all=/sys/fs/cgroup/systemd
[ -d $all ] || all=/sys/fs/cgroup
mkdir -p $all/$0/payload $all/$0/supervisor
echo $$ >$all/$0/cgroup.procs
exec unshare --cgroup --mount sh -ec 'mount --bind $0 $1; shift; exec "$@"' $all/$0 $all "$@\""""
SYSTEM_CALLS = "landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp"


def command(*words, check=True, input=None, timeout=300):
    done = subprocess.run([str(word) for word in words], input=input, capture_output=True, text=True, timeout=timeout)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(str(word) for word in words)[:300]}: exit status {done.returncode}: "
                             f"{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done


def wait_until(condition, what, seconds=60):
    """The condition's first true value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain: {what}")
        time.sleep(0.05)


class Listener:
    """While it is in use, hears all that the machines send each other. Afterwards `heard` has the bytes of each TCP port, and `plain` the ports on
    which a packet matched the pattern."""

    def __init__(self, pattern):
        self.pattern, self.heard, self.plain = pattern, {}, []

    def __enter__(self):
        script = pathlib.Path(__file__).with_name("listen.py")
        self._process = subprocess.Popen(["ip", "netns", "exec", SWITCH, sys.executable, script, self.pattern], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)
        self._process.stdout.readline()
        return self

    def __exit__(self, *_):
        for line in self._process.communicate()[0].splitlines():
            port, count, found = map(int, line.split())
            self.heard[port] = count
            if found:
                self.plain.append(port)


def make_switch():
    names = pathlib.Path("/run/netns")  # of this name space of mounts alone
    names.mkdir(exist_ok=True)
    command("mount", "-t", "tmpfs", "netns", names)
    command("ip", "netns", "add", SWITCH)
    for words in ("link add bridge type bridge", "link set bridge up"):
        command("ip", "-n", SWITCH, *words.split())


def _connect(name, number, *namespace):
    command("ip", *namespace, "link", "add", "eth0", "type", "veth", "peer", "name", f"to-{name}", "netns", SWITCH)
    for words in (f"addr add {NETWORK}.{number}/24 dev eth0", "link set eth0 up", "link set lo up"):
        command("ip", *namespace, *words.split())
    for words in (f"link set to-{name} master bridge", f"link set to-{name} up"):
        command("ip", "-n", SWITCH, *words.split())


def connect(name, number):
    """A namespace with the address NETWORK.number."""
    command("ip", "netns", "add", name)
    _connect(name, number, "-n", name)


def join_switch(number):
    """Gives this process the address NETWORK.number."""
    _connect("client", number)


def name_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return None


class Machine:
    all = []

    def __init__(self, name, number, root, binds=(), names=""):
        self.name, self.address, self.binds, self.names = name, f"{NETWORK}.{number}", binds, names
        self.folder = WORK / "machines" / name
        self.root = self.folder / "root"
        for part in ("root", "changes", "work"):
            (self.folder / part).mkdir(parents=True)
        command("mount", "-t", "overlay", name, "-o", f"lowerdir={root},upperdir={self.folder}/changes,workdir={self.folder}/work", self.root)
        connect(name, number)
        self.process = self.leader = None
        Machine.all.append(self)

    def tmpfs(self, path, megabytes):
        """A file system of that size, which the machine mounts when it boots."""
        self.binds = [*self.binds, f"{self.folder}{path}:{path}"]
        (self.folder / path.lstrip("/")).mkdir(parents=True)
        (self.root / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
        command("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", self.name, f"{self.folder}{path}")

    def write(self, path, text, mode=0o644):
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    def boot(self):
        self.start()
        self.await_boot()

    def start(self):
        """By the main thread alone: the system ends with the thread that started it."""
        self.write("/etc/hosts", "127.0.0.1 localhost\n" + "".join(f"{each.address} {each.name} {each.names}\n" for each in Machine.all))
        self.write("/etc/hostname", self.name + "\n")
        log = (WORK / f"{self.name}.console").open("wb")
        self.process = subprocess.Popen(
            ["sh", "-c", IN_GROUP, f"tradepost-{self.name}", "setpriv", "--pdeathsig", "TERM", "--", "systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--console=pipe",
             f"--network-namespace-path=/run/netns/{self.name}", "--resolv-conf=off", "--timezone=off",
             f"--system-call-filter={SYSTEM_CALLS}", f"--directory={self.root}", f"--machine=tradepost-{self.name}", f"--hostname={self.name}",
             *(f"--bind={bind}" for bind in self.binds), "--boot"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        self.leader = wait_until(lambda: next((pid for pid in children.read_text().split() if name_of(pid) == "systemd"), None),
                                 f"{self.name} has no first process")

    def await_boot(self):
        wait_until(lambda: self.run("systemctl is-system-running", check=False).stdout.strip() in ("running", "degraded"),
                   f"{self.name} does not boot", 120)

    def run(self, script, check=True, input=None, timeout=300):
        """A shell command in the booted system."""
        return command("nsenter", "--target", self.leader, "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--",
                       "bash", "-o", "pipefail", "-c", script, check=check, input=input, timeout=timeout)

    def said(self, script, **options):
        return self.run(script, **options).stdout.strip()

    def kill(self):
        """As if the power failed."""
        if self.leader:
            os.kill(int(self.leader), signal.SIGKILL)
            self.process.wait()
            self.leader = None

    def main_pid(self, unit):
        """The process number of a unit's main process, as this process sees it."""
        inner = self.said(f"systemctl show -P MainPID {unit}")
        for status in pathlib.Path("/proc").glob("[0-9]*/status"):
            try:
                numbers = next(line.split()[1:] for line in status.read_text().splitlines() if line.startswith("NSpid:"))
            except (OSError, StopIteration):
                continue
            if len(numbers) > 1 and numbers[-1] == inner and os.readlink(status.parent / "ns/pid") == os.readlink(f"/proc/{self.leader}/ns/pid"):
                return int(status.parent.name)
        raise AssertionError(f"{self.name} has no process of {unit}")

    def signal(self, unit, number):
        os.kill(self.main_pid(unit), number)

    def limit(self, processors):
        """From now on all of the machine's processes together get no more of the processors' time; None ends that."""
        space = os.readlink(f"/proc/{self.leader}/ns/pid")
        old = pathlib.Path("/sys/fs/cgroup/cpu")
        group = (old if old.exists() else pathlib.Path("/sys/fs/cgroup")) / f"tradepost-{self.name}"
        group.mkdir(exist_ok=True)
        if old.exists():
            (group / "cpu.cfs_quota_us").write_text(str(int(processors * 100000) if processors else -1))
        else:
            (group / "cpu.max").write_text(f"{int(processors * 100000) if processors else 'max'} 100000")
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "ns/pid") == space:
                    (group / "cgroup.procs").write_text(process.name)
            except OSError:
                continue

    def filter(self, table, chain, *rules):
        """Replaces a table of nftables, whose chain `input` is so; a rule that begins with "output " is for its chain `output`."""
        lines = [f"table inet {table}", f"delete table inet {table}", f"table inet {table} {{", f"chain input {{ {chain} }}",
                 "chain output { type filter hook output priority 0; }", "}"]
        lines += [f"add rule inet {table} {rule if rule.startswith('output ') else 'input ' + rule}" for rule in rules]
        command("ip", "netns", "exec", self.name, "nft", "-f", "-", input="\n".join(lines) + "\n")

    def cut_off(self, *others):
        """Nothing passes between this machine and these, in both directions; without any, between it and all."""
        rules = [f"{chain}ip {side} {other.address} drop" for other in others for chain, side in (("", "saddr"), ("output ", "daddr"))] or [
            "iifname eth0 drop", "output oifname eth0 drop"]
        self.filter("cut", "type filter hook input priority 0;", *rules)

    def heal(self):
        command("ip", "netns", "exec", self.name, "nft", "delete", "table", "inet", "cut")


def end():
    for machine in Machine.all:
        machine.kill()
    for machine in Machine.all:
        command("umount", "--lazy", machine.root, check=False)
    shutil.rmtree(WORK / "machines", ignore_errors=True)
