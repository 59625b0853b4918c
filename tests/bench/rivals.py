"""What is compared: each a pool of as many processes on a Unix socket."""
import getpass
import json
import os
import pathlib
import shutil
import subprocess
import time

from settings import BUILD, ROOT, STATE
from stack import database

HERE = ROOT / "tests/bench"
PROCESSES = 4


class Pool:
    """`name` is also its socket's. Whoever starts processes has them end with this script."""
    process = None

    def __init__(self, name):
        self.name = name
        self.socket = STATE / "run" / f"{name}.sock"

    def way(self):
        """Of a request from nginx to it, for its location."""
        return f"include {STATE}/nginx/snippets/fastcgi.conf; fastcgi_pass unix:{self.socket};"

    def upstream(self):
        """What nginx's http context needs for it."""
        return ""

    def spawn(self, *command, **environment):
        self.process = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", "--", *map(str, command)], env={**os.environ, **environment},
                                        stdout=subprocess.DEVNULL, stderr=(STATE / f"log/{self.name}.log").open("w"))
        for _ in range(200):
            if self.socket.exists():
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise SystemExit(f"{self.name} does not start:\n" + (STATE / f"log/{self.name}.log").read_text())

    def spawn_workers(self, *command):
        self.spawn("spawn-fcgi", "-n", "-s", self.socket, "-b", "1024", "--", "/usr/bin/multiwatch", "-f", PROCESSES, "--", *command)

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()


class Ours(Pool):
    """The stack's own workers."""

    def __init__(self):
        super().__init__("ours")
        self.socket = STATE / "run/api.sock"


class Forgetful(Pool):
    """The same workers, but what they remember must not take more than so many bytes: with none nothing is, with a few thousand the
    totals of a few lists, and no answer of a quarter of that."""

    def __init__(self, name, remembered_bytes):
        super().__init__(name)
        settings = STATE / f"{name}.toml"
        settings.write_text((STATE / "tradepost.toml").read_text().replace("[http]\n", f"[http]\nremembered_bytes = {remembered_bytes}\n", 1))
        self.spawn_workers(BUILD / "tradepost-worker", "--config", settings)


class Trivial(Pool):
    """Sends the bodies that `answers` holds for list, detail, stock and small, and the header fields of not-modified with status 304."""

    def __init__(self, answers):
        super().__init__("trivial")
        folder = STATE / "canned"
        folder.mkdir(exist_ok=True)
        for name, body in answers.items():
            (folder / name).write_bytes(body)
        self.spawn_workers(BUILD / "bench-trivial", folder)


class Php(Pool):
    def __init__(self):
        super().__init__("php")
        configuration = STATE / "php-fpm.conf"
        configuration.write_text(f"""[global]
error_log = {STATE}/log/php-fpm.log
daemonize = no
[bench]
user = {getpass.getuser()}
listen = {self.socket}
listen.mode = 0666
listen.backlog = 1024
pm = static
pm.max_children = {PROCESSES}
clear_env = yes
php_admin_value[display_errors] = off
php_admin_value[opcache.validate_timestamps] = 0
php_admin_value[apc.enabled] = 1
""")
        self.spawn(max(pathlib.Path("/usr/sbin").glob("php-fpm[0-9]*")), "-F", "-y", configuration, *(["-R"] if os.geteuid() == 0 else []))

    def way(self):
        its = database()
        return super().way() + f"""
        fastcgi_param SCRIPT_FILENAME {HERE}/php/index.php;
        fastcgi_param DATABASE "mysql:unix_socket={its['socket']};dbname={its['name']};charset=utf8mb4";
        fastcgi_param DATABASE_USER "{its['user']}";
        fastcgi_param DATABASE_PASSWORD "{its['password']}";"""


class Http(Pool):
    def upstream(self):
        return f"upstream bench_{self.name} {{ server unix:{self.socket}; keepalive 32; }}\n"

    def way(self):
        return f"include {STATE}/nginx/proxy.conf; proxy_pass http://bench_{self.name};"


class Go(Http):
    def __init__(self):
        super().__init__("go")
        its = database()
        self.spawn(BUILD / "bench-go", BENCH_SOCKET=str(self.socket),
                   BENCH_DATABASE=f"{its['user']}:{its['password']}@unix({its['socket']})/{its['name']}?charset=utf8mb4")
        self.socket.chmod(0o666)


def install_modules():
    """fastify and mysql2, once from their lock file."""
    modules, source = BUILD / "bench-node", HERE / "node"
    lock = (source / "package-lock.json").read_bytes()
    mark = modules / "installed.json"
    if mark.exists() and mark.read_bytes() == lock:
        return
    shutil.rmtree(modules, ignore_errors=True)
    modules.mkdir()
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(source / name, modules)
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], cwd=modules, check=True, stdout=subprocess.DEVNULL)
    mark.write_bytes(lock)


class Node(Http):
    def __init__(self):
        super().__init__("node")
        install_modules()
        its = database()
        options = {"socketPath": its["socket"], "database": its["name"], "user": its["user"], "password": its["password"], "charset": "utf8mb4"}
        self.spawn("node", HERE / "node/main.mjs", BENCH_SOCKET=str(self.socket), BENCH_DATABASE=json.dumps(options), NODE_ENV="production",
                   BENCH_MODULES=str(BUILD / "bench-node/package.json"))


class CachedTotal(Pool):
    """The processes of `other`, told that a total may be a second old."""

    def __init__(self, other):
        super().__init__(f"{other.name}-cached")
        self.socket = other.socket
        self.other = other

    def way(self):
        told = "proxy_set_header Cached-Total 1;" if isinstance(self.other, Http) else "fastcgi_param CACHED_TOTAL 1;"
        return f"{self.other.way()} {told}"


def single_row_commits(writers, count):
    """Commits a second that the database itself makes of as many inserts of one row each."""
    run = subprocess.run(["mariadb-slap", "--no-defaults", f"--socket={database()['socket']}", f"--concurrency={writers}", "--iterations=1",
                          f"--number-of-queries={count}", "--create-schema=tradepost_slap",
                          "--create=CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY AUTO_INCREMENT, text VARCHAR(500)) ENGINE=InnoDB",
                          "--query=INSERT INTO t (text) VALUES (REPEAT('x', 400))", "--commit=1", "--csv"],
                         check=True, capture_output=True, text=True)
    seconds = float(run.stdout.strip().split("\n")[-1].split(",")[2])
    return count / seconds
