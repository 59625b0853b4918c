"""What the API is compared with, each with a location of its own in the same nginx."""
import getpass
import os
import shutil
import subprocess

from settings import BUILD, ROOT, STATE


def add_location(name, text):
    """nginx reads it at its next reload."""
    extra = STATE / "nginx" / "extra"
    extra.mkdir(exist_ok=True)
    (extra / f"{name}.conf").write_text(text)


class Trivial:
    """A FastCGI responder that does nothing, in a pool like the API's."""

    def __init__(self):
        socket = STATE / "run" / "trivial.sock"
        self.pool = subprocess.Popen(["spawn-fcgi", "-n", "-s", str(socket), "-b", "1024", "--", "/usr/bin/multiwatch", "-f", "4",
                                      "--", str(BUILD / "bench-trivial")])
        add_location("trivial", f"location = /trivial {{ include {STATE}/nginx/snippets/fastcgi.conf; fastcgi_pass unix:{socket}; }}\n")

    def pid(self):
        return self.pool.pid

    def stop(self):
        self.pool.terminate()
        self.pool.wait()


class PhpFpm:
    """PHP with a pool of as many processes, opcache and persistent connections to the same database."""

    def __init__(self, settings):
        socket = STATE / "run" / "php.sock"
        configuration = STATE / "php-fpm.conf"
        configuration.write_text(f"""[global]
error_log = {STATE}/log/php-fpm.log
daemonize = no
[bench]
user = {getpass.getuser()}
listen = {socket}
listen.mode = 0666
listen.backlog = 1024
pm = static
pm.max_children = 4
clear_env = yes
php_admin_value[display_errors] = off
php_admin_value[opcache.validate_timestamps] = 0
""")
        self.pool = subprocess.Popen([shutil.which("php-fpm8.2", path="/usr/sbin:/usr/bin"), "-F", "-y", str(configuration), *(["-R"] if os.geteuid() == 0 else [])])
        add_location("php", f"""location = /php/stock {{
    include {STATE}/nginx/snippets/fastcgi.conf;
    fastcgi_param SCRIPT_FILENAME {ROOT}/tests/bench/php/stock.php;
    fastcgi_param DATABASE "mysql:unix_socket={settings['socket']};dbname={settings['name']};charset=utf8mb4";
    fastcgi_param DATABASE_USER "{settings['user']}";
    fastcgi_param DATABASE_PASSWORD "{settings['password']}";
    fastcgi_pass unix:{socket};
}}
""")

    def pid(self):
        return self.pool.pid

    def stop(self):
        self.pool.terminate()
        self.pool.wait()


def single_row_commits(settings, writers, count):
    """Commits a second that the database itself makes of as many inserts of one row each."""
    run = subprocess.run(["mariadb-slap", "--no-defaults", f"--socket={settings['socket']}", f"--concurrency={writers}", "--iterations=1",
                          f"--number-of-queries={count}", "--create-schema=tradepost_slap",
                          "--create=CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY AUTO_INCREMENT, text VARCHAR(500)) ENGINE=InnoDB",
                          "--query=INSERT INTO t (text) VALUES (REPEAT('x', 400))", "--commit=1", "--csv"],
                         check=True, capture_output=True, text=True)
    seconds = float(run.stdout.strip().split("\n")[-1].split(",")[2])
    return count / seconds
