# The private database server, MariaDB or MySQL: it listens on a Unix socket only, has its own data folder and reads none of the
# host's files. Its service, socket and log are named after it. Needs common.sh.
#   DATABASE=           mariadb or mysql; without it the one that STATE has, or else that is installed, MariaDB before MySQL
#   DATABASE_SETTINGS=  additional lines of its configuration, for tests
#   DATABASE_SPACE=     free megabytes that creating it requires; an empty database takes half of the default

OWNER=$(id -un)

# Sets SERVER. The data of one server cannot be read by the other.
choose_database() {
    local kept=
    [[ ! -d $STATE/mysql/mysql ]] || kept=mariadb
    [[ ! -e $STATE/mysql/mysql.ibd ]] || kept=mysql
    case ${DATABASE:-$kept} in
        mariadb | mysql) SERVER=${DATABASE:-$kept} ;;
        '') if command -v mariadbd >/dev/null; then SERVER=mariadb; else SERVER=mysql; fi ;;
        *) die "DATABASE is mariadb or mysql, not $DATABASE" ;;
    esac
    [[ ${kept:-$SERVER} == "$SERVER" ]] || die "$STATE has the data of $kept; name another STATE for DATABASE=$SERVER"
    command -v "$SERVER"d >/dev/null && command -v "$SERVER" >/dev/null ||
        die "${SERVER}d and $SERVER are needed: install that server and its client, or choose with DATABASE=mariadb or DATABASE=mysql"
    SOCKET=$STATE/run/$SERVER.sock
}

database_config() {
    {
        cat <<CNF
[server]
datadir                        = $STATE/mysql
socket                         = $SOCKET
pid-file                       = $STATE/run/${SERVER}d.pid
tmpdir                         = $STATE/tmp
skip-networking
skip-name-resolve
local-infile                   = 0
character-set-server           = utf8mb4
innodb_buffer_pool_size        = 128M
innodb_flush_log_at_trx_commit = 1
key_buffer_size                = 1M
max_connections                = 120
max_allowed_packet             = 64M
CNF
        if [[ $SERVER == mysql ]]; then
            # As strict as managed servers are. Until init_file has run, root has no password, but nobody else reaches the socket.
            cat <<CNF
mysqlx                         = OFF
secure_file_priv               = NULL
binlog_expire_logs_seconds     = 86400
sql_require_primary_key        = ON
innodb_redo_log_capacity       = 96M
plugin-load-add                = auth_socket.so
init_file                      = $STATE/mysql.sql
CNF
        else
            cat <<CNF
innodb_log_file_size           = 48M
aria_pagecache_buffer_size     = 8M
CNF
        fi
        printf '%s\n' "${DATABASE_SETTINGS:-}"
        ((EUID == 0)) && echo "user                           = root"
    } >"$STATE/$SERVER.cnf" || true
}

# Writes an empty data folder in which the user of the stack has all rights, by the socket and without a password.
initialize() { # FOLDER
    local user=()
    ((EUID == 0)) && user=(--user=root)
    if [[ $SERVER == mysql ]]; then
        mysqld --no-defaults "${user[@]}" --initialize-insecure --datadir="$1" --tmpdir="$STATE/tmp"
        cat >"$STATE/mysql.sql" <<SQL
CREATE USER IF NOT EXISTS '$OWNER'@localhost;
ALTER USER root@localhost IDENTIFIED WITH auth_socket;
ALTER USER '$OWNER'@localhost IDENTIFIED WITH auth_socket;
GRANT ALL ON *.* TO '$OWNER'@localhost WITH GRANT OPTION;
SQL
    else
        # --force skips the check that the host's own name resolves, which a database on a socket does not need.
        mariadb-install-db --no-defaults --force "${user[@]}" --datadir="$1" --tmpdir="$STATE/tmp" --skip-test-db \
            --auth-root-authentication-method=socket --auth-root-socket-user="$OWNER" --skip-name-resolve
    fi
}

# Creates the database unless it exists. The rename at the end makes sure that an interrupted run is repeated.
install_database() {
    [[ -d $STATE/mysql/mysql ]] && return
    rm -rf "$STATE/mysql.new"
    local free need=${DATABASE_SPACE:-300}
    free=$(df --output=avail --block-size=1M "$STATE" | tail -n1)
    ((free >= need)) || die "a database needs $need MB and the disk of $STATE has $((free)) MB free; make room or name another STATE"
    initialize "$STATE/mysql.new" >"$STATE/log/$SERVER-install.log" 2>&1 || {
        show_log "$SERVER-install" >&2
        die "cannot initialize the data folder of $SERVER"
    }
    rm -rf "$STATE/mysql"
    mv "$STATE/mysql.new" "$STATE/mysql"
}

database_sql() { "$SERVER" --no-defaults --socket="$SOCKET" --user="$OWNER" --batch --skip-column-names; }
database_answers() { database_sql <<<'SELECT 1' >/dev/null 2>&1; }

# Starts it under the running supervisor and prepares it.
start_database() {
    start_service "$SERVER"
    await 90 database_answers || {
        show_log "$SERVER" >&2
        die "the database does not answer"
    }
    grant_database
}

# Creates the application's user with the password of tradepost.toml. Tests set $DATABASE_RIGHTS, as they create databases.
grant_database() {
    local password
    password=$(get_setting database password)
    [[ $(get_setting database socket) == "$SOCKET" ]] || return 0
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
    write_service "$SERVER" "exec chpst -P ${SERVER}d --defaults-file=\"$STATE/$SERVER.cnf\""
}
