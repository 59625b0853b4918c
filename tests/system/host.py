"""The booted system and its two instances, north and south."""
import base64
import json
import pathlib
import re
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.path.append("/check/support")
# pylint: disable=wrong-import-position
from waiting import limit, until_served  # noqa: E402

CHECK = pathlib.Path("/check")
RESULTS = CHECK / "results"
PACKAGES = CHECK / "packages"
# Of the database server: mariadb or mysql. Its program that dumps is named after it too.
sql_client = "mariadb"


def run(command, check=True, input=None, timeout=120):
    """A shell command's result; its output is part of the failure."""
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], input=input, capture_output=True, text=True, timeout=limit(timeout))
    if check and done.returncode != 0:
        raise AssertionError(f"{command}: exit status {done.returncode}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done


def said(command, **options):
    return run(command, **options).stdout.strip()


def kill(unit):
    """The unit's main process and its children, by SIGKILL. `systemctl kill` fails, and kills none, when one of them ends meanwhile."""
    main = said(f"systemctl show -P MainPID {unit}")
    expect(main != "0", f"{unit} does not run")
    run(f"kill -KILL {main} $(pgrep -P {main})", check=False)


def wait_until(condition, what, seconds=60):
    """The condition's first true value."""
    end = time.monotonic() + limit(seconds)
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {limit(seconds):.0f} s in vain: {what}")
        time.sleep(0.05)


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def expect_version(line, lines):
    """Warns if `line`, which names a version of another program, is none of the lines. Debian may have a later version than these tests know."""
    known = re.sub(r"[0-9.]+(?!.*[0-9]).*", "", line)
    found = [each for each in lines if each.startswith(known)]
    expect(found, "\n".join(lines))
    if line not in lines:
        print(f"WARNING another version: {found[0]!r} instead of {line!r}")


def equal(got, wanted, what=""):
    expect(got == wanted, f"{what}: {got!r} is not {wanted!r}")


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def data(self):
        expect(self.status < 300, f"{self.status} {self.body[:300]!r}")
        return self.json()["data"]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Instance:
    def __init__(self, name):
        self.name, self.host = name, f"{name}.test"
        self.token = None

    @property
    def base(self):
        return f"https://{self.host}"

    @property
    def toml(self):
        return pathlib.Path(f"/etc/tradepost/{self.name}.toml")

    def tls(self):
        return ssl.create_default_context(cafile=f"/etc/tradepost/{self.name}.crt")

    def call(self, method, path, body=None, headers=None, base=None, timeout=60):
        """An answer of any status. A body that is no string or bytes goes as JSON; with the instance's token unless headers name another."""
        headers = {**({"Authorization": f"Bearer {self.token}"} if self.token else {}), **(headers or {})}
        headers = {name: value for name, value in headers.items() if value is not None}
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        data = body.encode() if isinstance(body, str) else body
        request = urllib.request.Request((base or self.base) + path, data, headers, method=method)
        opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=self.tls()), NoRedirect())
        try:
            with opener.open(request, timeout=limit(timeout)) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.headers, error.read())

    def served(self, *given, **options):
        """As call(), repeated while the service is busy. Only for what prepares a test and may be repeated."""
        def send():
            answer = self.call(*given, **options)
            return answer.status, answer.headers, answer

        return until_served(send)[2]

    def get(self, path, **options):
        return self.call("GET", path, **options)

    def upload_pdf(self):
        pdf = b"%PDF-1.4\n1 0 obj <</Pages 2 0 R>> endobj\n2 0 obj <</Kids [3 0 R]/Count 1>> endobj\n3 0 obj <</Type/Page>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n"
        body = {"filename": "a.pdf", "contentType": "application/pdf", "data": base64.b64encode(pdf).decode()}
        return self.call("POST", "/api/v1/uploads", body).data()

    def ctl(self, arguments, **options):
        return run(f"tradepostctl --instance {self.name} {arguments}", **options)

    def units(self, kinds="service"):
        return [f"tradepost{pool}@{self.name}.{kind}" for pool in ("", "-auth", "-uploads") for kind in kinds.split()]

    def workers(self, pool=""):
        """Process ids of a pool's workers. A pool that ended because it was idle is started by a request."""
        if self.active(f"tradepost{pool}@{self.name}.service") == "inactive" and self.active(f"tradepost{pool}@{self.name}.socket") == "active":
            self.call("OPTIONS", {"": "/healthz", "-auth": "/api/v1/auth", "-uploads": "/api/v1/uploads"}[pool])
        main = said(f"systemctl show -P MainPID tradepost{pool}@{self.name}.service")
        return [int(pid) for pid in said(f"pgrep -P {main} tradepost-worke", check=False).split()]

    def connections(self):
        return int(said(f"mariadb -N -e \"SELECT COUNT(*) FROM information_schema.processlist WHERE db = 'tradepost_{self.name}'\""))

    def tell_use(self, state):
        """Prints connections, processes and memory of the instance; MiB in all, each page that processes share divided among them."""
        mains = [said(f"systemctl show -P MainPID {unit}") for unit in
                 said(f"systemctl list-units --no-legend --plain 'tradepost*@{self.name}.service' | cut -d' ' -f1").split()]
        each = {}
        for pid in [pid for main in mains if main != "0" for pid in [main, *said(f"pgrep -P {main}", check=False).split()]]:
            try:
                name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
                pss = int(re.search(r"(?m)^Pss: +(\d+)", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text())[1]) / 1024
            except OSError:
                continue
            count, mebibytes = each.get(name, (0, 0.0))
            each[name] = (count + 1, mebibytes + pss)
        total = sum(mebibytes for _, mebibytes in each.values())
        print(f"     {self.name}, {state}: {self.connections()} connections, {sum(count for count, _ in each.values())} processes, {total:.1f} MiB: " +
              ", ".join(f"{count} {name} {mebibytes:.1f}" for name, (count, mebibytes) in sorted(each.items())))
        return total

    def ready(self):
        try:
            return self.get("/readyz", timeout=10).status == 200
        except OSError:
            return False

    def wait_ready(self, seconds=60):
        wait_until(self.ready, f"{self.name} is not ready", seconds)

    def active(self, unit):
        return said(f"systemctl is-active {unit}", check=False)

    def journal(self, unit, since="-1h"):
        return said(f"journalctl --no-pager -o cat -u {unit} --since='{since}'")

    def set(self, section, key, value):
        """Sets a line of its configuration and returns the text before."""
        before = self.toml.read_text()
        text = re.sub(rf"(?m)^#?{key} = .*\n", "", before)
        expect(f"[{section}]" in text, f"no [{section}]")
        self.toml.write_text(text.replace(f"[{section}]\n", f"[{section}]\n{key} = {value}\n"))
        return before


north, south = Instance("north"), Instance("south")


def finish_upgrade(instance):
    """Runs what a new version needs to its end. systemd 257 sometimes cannot start a unit soon after its last run ("Failed to spawn executor: No
    such file or directory"); it tries again by itself, as the unit says."""
    unit = f"tradepost-upgrade@{instance.name}.service"
    run(f"systemctl start {unit}", check=False)
    wait_until(lambda: set(said(f"systemctl show -P ActiveState -P Result {unit}").split()) == {"inactive", "success"}, f"the end of {unit}")


def commands(after):
    """The first indented block of the operators' manual below that text."""
    text = (CHECK / "OPERATORS.md").read_text()
    expect(after in text, f"the operators' manual has no line {after!r}")
    lines = text.split(after, 1)[1].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("    "))
    block = []
    for line in lines[start:]:
        if not line.startswith("    "):
            break
        block.append(line[4:])
    block = "\n".join(block)
    block = block.replace("shop.example.com", north.host).replace("shop", "north")
    if sql_client == "mysql":
        dump = "mysqldump --set-gtid-purged=OFF"
        expect(f"`{dump}` takes the place of `mariadb-dump`" in text, "the operators' manual tells MySQL's command")
        block = block.replace("mariadb-dump", dump).replace("mariadb", "mysql")
    return "set -e\n" + block


def cursor():
    """Now, for journalctl --since."""
    return said("date '+%Y-%m-%d %H:%M:%S.%6N'")


def install():
    run(f"dpkg --install {PACKAGES}/tradepost.deb", timeout=300)


def add(instance, options=""):
    """A started instance with a user of an organisation, with limits that no test meets by accident."""
    run(f"grep -q {instance.host} /etc/hosts || echo '127.0.0.1 {instance.host}' >>/etc/hosts")
    run(f"tradepost-instance add {instance.name} {instance.host} {options}")
    for rate in ("auth", "auth_address", "public", "write"):
        instance.set("rate_limits", rate, '"1000000/1m"')
    instance.ctl("org add --name Dealer --slug dealer --published")
    # A user has ten tokens at most: who signs in all the time is another one.
    for user in ("user", "sign-in"):
        instance.ctl(f"user add --email {user}@dealer.test --name User --password-stdin", input="correct horse 9 battery\n")
    instance.ctl("org add-member --org dealer --email user@dealer.test --role ADMIN")
    instance.token = said(f"tradepostctl --instance {instance.name} token mint --email user@dealer.test --name check")
    run(f"systemctl enable --now tradepost@{instance.name}.target")


def prepare():
    run("systemctl start mariadb nginx")
    install()
    for instance in (north, south):
        add(instance)
    for instance in (north, south):
        instance.wait_ready()
