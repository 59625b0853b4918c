"""An instance whose database is MySQL on this host, made, backed up and restored by the commands of the operators' manual."""
import pathlib

import host
import test_backups
import test_instances
from host import Instance, equal, expect, install, north, run, said, wait_until

UNIT = """[Unit]
Description=MySQL
[Service]
User=mysql
RuntimeDirectory=mysqld
ExecStart=/usr/local/bin/mysqld --no-defaults --datadir=/var/lib/mysql-server --socket=/run/mysqld/mysqld.sock --mysqlx=OFF \
    --secure-file-priv=NULL --plugin-load-add=auth_socket.so --sql-require-primary-key=ON --init-file=/var/lib/mysql-server.sql
"""


def prepare():
    """The host has MySQL's server and client only."""
    run("systemctl mask --now mariadb && rm -f /usr/bin/mysql /usr/bin/mysqldump && chmod 000 /usr/bin/mariadb /usr/bin/mariadb-dump")
    run("install -d -o mysql -g mysql -m 700 /var/lib/mysql-server")
    run("runuser -u mysql -- /usr/local/bin/mysqld --no-defaults --initialize-insecure --datadir=/var/lib/mysql-server")
    pathlib.Path("/var/lib/mysql-server.sql").write_text("ALTER USER root@localhost IDENTIFIED WITH auth_socket;\n")
    pathlib.Path("/etc/systemd/system/mysql.service").write_text(UNIT)
    run("systemctl daemon-reload && systemctl start mysql nginx")
    wait_until(lambda: run("mysql --batch -e 'SELECT 1'", check=False).returncode == 0, "MySQL")
    host.sql_client = "mysql"
    install()
    host.add(north)
    north.wait_ready()


def test_the_database_and_its_user_are_made():
    equal(said("mysql -N -e \"SHOW DATABASES LIKE 'tradepost%'\""), "tradepost_north", "databases")
    grants = said("mysql --raw -N -e 'SHOW GRANTS FOR tradepost_north@localhost'").splitlines()
    equal(len(grants), 2, f"{grants}")
    expect(grants[0].startswith("GRANT USAGE ON *.* "), grants[0])
    equal(grants[1], "GRANT ALL PRIVILEGES ON `tradepost\\_north`.* TO `tradepost_north`@`localhost`", "rights")


def test_rights_end_with_the_database():
    test_instances.check_rights()


def test_rights_stay_until_others_suffice():
    test_instances.check_that_rights_stay_until_others_suffice()


def test_partial_revokes_make_names_literal():
    """https://dev.mysql.com/doc/refman/8.4/en/partial-revokes.html: the setting changes what all rights on patterns mean."""
    east = Instance("east_1")
    east.host = "east.test"
    run("mysql -e 'SET GLOBAL partial_revokes = ON'")
    try:
        for command in ("", "upgrade east_1", "add east_1 east.test"):
            if command:
                run(f"tradepost-instance {command}")
            else:
                host.add(east)
            grants = said("mysql --raw -N -e 'SHOW GRANTS FOR tradepost_east_1@localhost'").splitlines()[1:]
            equal(grants, ["GRANT ALL PRIVILEGES ON `tradepost_east_1`.* TO `tradepost_east_1`@`localhost`"], f"rights after {command or 'add'}")
            test_instances.check_databases(east, "tradepost_north")
            east.wait_ready()
    finally:
        run("mysql -e 'SET GLOBAL partial_revokes = OFF'")
    run("tradepost-instance purge east_1 --yes")


def test_one_that_was_removed_can_be_added_again():
    test_instances.remove_and_add()


def test_add_can_be_repeated():
    run(f"tradepost-instance add north {north.host}")
    equal(north.get("/api/v1/me").status, 200, "the token")


def test_doctor_finds_no_fault_of_the_database():
    lines = run("tradepostctl --instance north doctor", check=False).stdout.splitlines()
    # Debian unstable moves on.
    host.expect_version("ok   server version MySQL 9.7", lines)
    equal([line for line in lines if line.startswith("FAIL") and "database" in line], [], "faults")


def test_what_was_backed_up_and_wiped_answers_as_before():
    test_backups.configure()
    host.document = test_backups.fill()
    test_backups.follow_both()
