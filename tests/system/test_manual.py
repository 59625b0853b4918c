"""The operators' manual, followed to the letter on a new host."""
import host
from host import commands, equal, expect, north, run, said


def prepare():
    run(f"systemctl start mariadb nginx && echo '127.0.0.1 {north.host}' >>/etc/hosts")
    host.install()


def test_an_installation_ends_with_a_doctor_who_finds_no_fault():
    settings = commands("and Debian allows 768 for all clients together:").splitlines()
    equal(settings[1:], ["worker_rlimit_nofile 8192;", "events {", "    worker_connections 4096;", "}"], "nginx's settings")
    run(f"sed -i '1i {settings[1]}' /etc/nginx/nginx.conf && sed -i 's/worker_connections 768;/worker_connections 4096;/' /etc/nginx/nginx.conf && systemctl restart nginx")
    done = run(commands("Then add an instance, with the first organisation"), input="correct horse 9 battery\n")
    lines = [line for line in done.stdout.splitlines() if line.split(" ")[0] in ("ok", "WARN", "FAIL")]
    expect(len(lines) > 20, done.stdout)
    bad = [line for line in lines if not line.startswith("ok ")]
    expect(len(bad) == 2 and bad[0].startswith("WARN the instance was never backed up") and
           bad[1].startswith("WARN certificate of https://north.test is not trusted"), f"{bad}")
    north.wait_ready()
    session = north.call("POST", "/dashboard/api/session", {"email": "you@example.com", "password": "correct horse 9 battery"}, {"Origin": north.base})
    equal([(each["slug"], each["role"]) for each in session.data()["user"]["organisations"]], [("ashford-motors", "ADMIN")], "the ADMIN's organisations")


def test_repeating_it_changes_nothing():
    before = said("cat /etc/tradepost/north.* /etc/nginx/tradepost/in-use/north/*.conf | sha256sum")
    run(commands("Then add an instance, with the first organisation"), input="")
    equal(said("cat /etc/tradepost/north.* /etc/nginx/tradepost/in-use/north/*.conf | sha256sum"), before, "settings and site")
    equal(said("tradepostctl --instance north --json user list | grep -o '\"email\"' | wc -l"), "1", "users")
