"""The private stack that is measured, and what is asked of it once."""
import os
import shutil
import signal
import subprocess
import time
import tomllib

from settings import BUILD, ENVIRONMENT, ROOT, STATE


def start():
    """A new stack without rows, in place of what is there."""
    stop()
    shutil.rmtree(STATE, ignore_errors=True)
    subprocess.run([ROOT / "systemd/runit/stack", "up"], env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)


def stop():
    subprocess.run([ROOT / "systemd/runit/stack", "down"], env=ENVIRONMENT, check=True)


def database():
    """How to reach the database: socket, name, user and password."""
    return tomllib.loads((STATE / "tradepost.toml").read_text())["database"]


def server():
    """mariadb or mysql, which is also the name of its client."""
    return "mysql" if (STATE / "sv/mysql").exists() else "mariadb"


def sql(text):
    """Rows as lists of texts, as the database's administrator."""
    command = [server(), "--no-defaults", f"--socket={database()['socket']}", "--batch", "--skip-column-names", database()["name"]]
    output = subprocess.run(command, input=text, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout
    return [line.split("\t") for line in output.splitlines()]


def control(*arguments, text=None):
    return subprocess.run([BUILD / "tradepostctl", "--config", STATE / "tradepost.toml", *arguments], check=True, capture_output=True, text=True,
                          input=text).stdout


def get(url, *headers):
    """The body of an answer that is no error, and its entity tag."""
    command = ["curl", "-skf", "-D", STATE / "tmp/header"]
    for header in headers:
        command += ["-H", header]
    done = subprocess.run([*command, url], capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"{url}: curl ended with {done.returncode}")
    tags = [line[5:].strip() for line in (STATE / "tmp/header").read_text().splitlines() if line.lower().startswith("etag:")]
    return done.stdout, tags[0] if tags else None


def not_modified(url, tag):
    """The header fields that the application gave the 304 of a client that has `tag`."""
    done = subprocess.run(["curl", "-skf", "-D", "-", "-o", STATE / "tmp/body", "-H", f"If-None-Match: {tag}", url], capture_output=True)
    status, *fields = done.stdout.decode().strip().splitlines()
    if " 304" not in status:
        raise SystemExit(f"{url} with its own tag is answered {status}")
    wanted = ("etag", "link", "x-total-count", "cache-control")
    return "".join(f"{field.strip()}\r\n" for field in fields if field.split(":")[0].lower() in wanted).encode()


def reload_nginx(url):
    """Until `url`, which only the new configuration has, answers."""
    os.kill(int((STATE / "run/nginx.pid").read_text()), signal.SIGHUP)
    for _ in range(100):
        if subprocess.run(["curl", "-sk", "-o", "/dev/null", url]).returncode == 0:
            return
        time.sleep(0.1)
    raise SystemExit(f"nginx does not serve {url}; see {STATE}/log/nginx-error.log")
