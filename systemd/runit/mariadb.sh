# The private MariaDB: it listens on a Unix socket only, has its own data folder and reads none of the host's files. Needs
# common.sh.
#   DATABASE_SETTINGS=  additional lines of its configuration, for tests
#   DATABASE_SPACE=     free megabytes that creating it requires; an empty database takes half of the default

OWNER=$(id -un)

database_config() {
    {
        cat <<CNF
[mariadbd]
datadir                        = $STATE/mysql
socket                         = $STATE/run/mariadb.sock
pid-file                       = $STATE/run/mariadbd.pid
tmpdir                         = $STATE/tmp
skip-networking
skip-name-resolve
local-infile                   = 0
character-set-server           = utf8mb4
innodb_buffer_pool_size        = 128M
innodb_log_file_size           = 48M
innodb_flush_log_at_trx_commit = 1
key_buffer_size                = 1M
aria_pagecache_buffer_size     = 8M
max_connections                = 120
max_allowed_packet             = 64M
CNF
        printf '%s\n' "${DATABASE_SETTINGS:-}"
        ((EUID == 0)) && echo "user                           = root"
    } >"$STATE/mariadb.cnf" || true
}

# Creates the database unless it exists. The rename at the end makes sure that an interrupted run is repeated.
install_database() {
    [[ -d $STATE/mysql/mysql ]] && return
    rm -rf "$STATE/mysql.new"
    local user=() free need=${DATABASE_SPACE:-300}
    free=$(df --output=avail --block-size=1M "$STATE" | tail -n1)
    ((free >= need)) || die "a database needs $need MB and the disk of $STATE has $((free)) MB free; make room or name another STATE"
    ((EUID == 0)) && user=(--user=root)
    # --force skips the check that the host's own name resolves, which a database on a socket does not need.
    mariadb-install-db --no-defaults --force "${user[@]}" --datadir="$STATE/mysql.new" --tmpdir="$STATE/tmp" --skip-test-db \
        --auth-root-authentication-method=socket --auth-root-socket-user="$OWNER" --skip-name-resolve \
        >"$STATE/log/mariadb-install.log" 2>&1 || {
        show_log mariadb-install >&2
        die "mariadb-install-db failed"
    }
    rm -rf "$STATE/mysql"
    mv "$STATE/mysql.new" "$STATE/mysql"
}

database_sql() { mariadb --no-defaults --socket="$STATE/run/mariadb.sock" --user="$OWNER" --batch --skip-column-names; }
database_answers() { database_sql <<<'SELECT 1' >/dev/null 2>&1; }

# Starts it under the running supervisor and prepares it.
start_database() {
    start_service mariadb
    await 90 database_answers || {
        show_log mariadb >&2
        die "the database does not answer"
    }
    grant_database
}

# Creates the application's user with the password of tradepost.toml. Tests set $DATABASE_RIGHTS, as they create databases.
grant_database() {
    local password
    password=$(get_setting database password)
    [[ $(get_setting database socket) == "$STATE/run/mariadb.sock" ]] || return 0
    [[ $password =~ ^[A-Za-z0-9]+$ ]] || die "[database] password in $STATE/tradepost.toml must consist of letters and digits"
    database_sql >/dev/null <<SQL || die "cannot prepare the database"
CREATE DATABASE IF NOT EXISTS tradepost CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS tradepost@localhost;
ALTER USER tradepost@localhost IDENTIFIED BY '$password';
GRANT ${DATABASE_RIGHTS:-ALL ON tradepost.*} TO tradepost@localhost;
SQL
}

write_database_service() {
    database_config
    write_service mariadb "exec chpst -P mariadbd --defaults-file=\"$STATE/mariadb.cnf\""
}
