"""What `tradepost-instance add` does with names and with an nginx that it cannot use: the instance works, or nothing is made."""
import pathlib
import re

import host
from host import Instance, equal, expect, run, said

CONF = pathlib.Path("/etc/nginx/nginx.conf")
INCLUDE = "include /etc/nginx/sites-enabled/*;"


def prepare():
    run("systemctl start mariadb nginx && useradd --system nginx")
    host.install()


def made():
    """All that `add` makes before it reaches nginx."""
    return (sorted(path.name for path in pathlib.Path("/etc/tradepost").glob("*")), said("getent passwd | grep -c ^tradepost-", check=False),
            said("mariadb -N -e \"SHOW DATABASES LIKE 'tradepost%'; SELECT user FROM mysql.user WHERE user LIKE 'tradepost%'\""))


def refused(name, why):
    before = made()
    done = run(f"tradepost-instance add north {name}", check=False)
    equal((done.returncode, done.stdout, made()), (1, "", before), f"{name}: {done.stderr}")
    expect(re.fullmatch(rf"tradepost-instance: {why}\n", done.stderr), done.stderr)


def test_host_names_that_cannot_be():
    for name in ("a" * 64 + ".test", ".".join(["abcdefghi"] * 25) + ".test", "-a.test", "a..test", "a_b.test", "a.test."):
        refused(name, f"HOST is a host name, such as shop\\.example\\.com: {re.escape(name)}")


def test_an_nginx_that_cannot_serve_an_instance():
    before = CONF.read_text()
    folder = r'add "include /etc/nginx/sites-enabled/\*\.conf;" to http \{ \} in /etc/nginx/nginx\.conf, with that folder'
    user = r'set "user www-data;" there and restart nginx, which runs as nginx'
    cannot = "nothing was changed, as nginx cannot serve an instance yet: "
    see = r'\. OPERATORS\.md, "The nginx of nginx\.org"'
    rows = [
        (before.replace(INCLUDE, ""), cannot + folder + see),
        (before.replace("user www-data;", "user nginx;"), cannot + user + see),
        (before.replace(INCLUDE, "").replace("user www-data;", "user nginx;"), cannot + folder + ", and " + user + see),
        (before.replace("http {", "http { nothing;"), r"nothing was changed, as nginx cannot use its configuration as it is now: .*unknown directive \"nothing\".*"),
    ]
    try:
        for text, why in rows:
            expect(text != before, why)
            CONF.write_text(text)
            refused("north.test", why)
    finally:
        CONF.write_text(before)


def test_long_host_names_work():
    # More than the 46 characters of nginx's default, the 64 of a common name, and all that a name may have.
    for number, name in enumerate(("a" * 42 + ".test", "a" * 60 + ".test", ".".join(["abcdefghi"] * 24) + "." + "a" * 8 + ".test")):
        instance = Instance(f"shop{number}")
        instance.host = name
        host.add(instance)
        instance.wait_ready()
        equal(instance.get("/api/v1/me").status, 200, f"a name of {len(name)} characters")


def test_nginx_serves_is_said_only_while_it_does():
    serves = "nginx serves https://" + "a" * 42 + ".test"
    equal(said("tradepost-instance nginx shop0"), serves, "while it runs")
    run("systemctl stop nginx")
    equal(said("tradepost-instance nginx shop0"), serves.replace("nginx serves", "nginx is configured for") + ", and does not run: systemctl start nginx", "stopped")
    run("systemctl start nginx")
    before = CONF.read_text()
    CONF.write_text(before.replace(INCLUDE, ""))
    try:
        done = run("tradepost-instance nginx shop0", check=False)
        equal((done.returncode, done.stdout), (1, ""), done.stderr)
        expect("it does not include /etc/nginx/sites-enabled/tradepost-shop0.conf" in done.stderr, done.stderr)
    finally:
        CONF.write_text(before)
