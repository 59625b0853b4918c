# shellcheck shell=bash
# The database of an instance on this host's server. Needs tradepost-instance's variables and functions.

# Settings of a session that an administrator may have changed for new ones. Without these the clients below would print or delete the first
# rows only, or leave a change undone.
session="SET autocommit = 1, completion_type = 'NO_CHAIN', sql_safe_updates = 0, sql_big_selects = 1, sql_select_limit = 18446744073709551615,
    foreign_key_checks = 1, unique_checks = 1 /*M!100300 , max_statement_time = 0 */ /*!50720 , max_execution_time = 0 */"
mariadb() { command mariadb --init-command="$session" "$@"; }
mysql() { command mysql --init-command="$session" "$@"; }

# Prints the client by which root may sign in to a database server on this host. Without its number, `return` in a trap would give the status
# from before the trap.
root_client() {
    local client
    for client in mariadb mysql; do
        type -P "$client" >/dev/null && "$client" --batch 2>/dev/null <<<'SELECT 1' >/dev/null && { say "$client"; return 0; }
    done
    return 1
}

database_name() { if [[ -e $etc/$name.toml ]]; then setting database.name; else say "tradepost_$name"; fi; }

# Whether the server takes the name of a database in a GRANT literally. Otherwise an underscore stands for any character, and a backslash before it
# for that character. MariaDB has no such setting. https://dev.mysql.com/doc/refman/8.4/en/partial-revokes.html
names_are_literal() { # CLIENT
    [[ $("$1" --batch --skip-column-names 2>/dev/null <<<'SELECT @@global.partial_revokes') == 1 ]]
}

# Prints the statement for all rights in this database alone. Without a client, for a server whose names are not literal.
grant() { # DATABASE CLIENT [USER]
    local pattern=$1
    { [[ $2 ]] && names_are_literal "$2"; } || pattern=${pattern//_/\\_}
    printf 'GRANT ALL ON `%s`.* TO %s;' "$pattern" "${3:-tradepost_$name}@localhost"
}

# Whether a user with the rights of grant() alone reaches the database: a temporary one signs in.
grant_suffices() { # CLIENT
    local user=tp_proof_$name password socket code=0
    password=Tp-$(openssl rand -hex 24)
    socket=$("$1" --batch --skip-column-names <<<'SELECT @@global.socket')
    { "$1" --batch <<<"DROP USER IF EXISTS $user@localhost; CREATE USER $user@localhost IDENTIFIED BY '$password'; $(grant "tradepost_$name" "$1" "$user")" &&
        "$1" --defaults-file=<(printf '[client]\nuser=%s\npassword=%s\nsocket=%s\n' "$user" "$password" "$socket") --batch "tradepost_$name" <<<'DO 1'; } || code=1
    "$1" --batch <<<"DROP USER IF EXISTS $user@localhost" || code=1
    return "$code"
}

# Until version 1.1 the user had all rights in databases of other instances too, such as shop21 and shopa1 for shop_1. Those are revoked once the
# ones of grant() were seen to suffice.
narrow_grant() { # CLIENT
    local old="user = 'tradepost_$name' AND host = 'localhost' AND db = 'tradepost_$name'"
    [[ $("$1" --batch <<<"SELECT db FROM mysql.db WHERE $old") ]] && ! names_are_literal "$1" || return 0
    grant_suffices "$1" || {
        complain "the rights of $name stay as they are, which may include databases of similar names: the server does not let a user in by: $(grant "tradepost_$name" "$1")"
        return 1
    }
    "$1" --batch <<<"$(grant "tradepost_$name" "$1") REVOKE ALL ON tradepost_$name.* FROM tradepost_$name@localhost;"
}

# Prints the statements that create the application's database and user. One that is there already gets the password.
database_statements() { # CLIENT
    local password
    password=$(head -n1 "$etc/$name.password")
    printf '%s\n' "CREATE DATABASE IF NOT EXISTS tradepost_$name CHARACTER SET utf8mb4;" \
        "CREATE USER IF NOT EXISTS tradepost_$name@localhost IDENTIFIED BY '$password';" \
        "ALTER USER tradepost_$name@localhost IDENTIFIED BY '$password';" "$(grant "tradepost_$name" "$1")"
}

tables() { "$1" --batch --skip-column-names <<<"SELECT table_name FROM information_schema.tables WHERE table_schema = 'tradepost_$2'"; } # CLIENT NAME

# Creates the database, or takes over the one of that name. When root cannot sign in to a server on this host, prints the statements to run
# on another one.
make_database() {
    local client sql
    client=$(root_client) || client=
    sql=$(database_statements "$client")
    if [[ $client ]]; then
        if [[ $(tables "$client" "$name") ]]; then say "Taking over the database tradepost_$name with the data that it has"; else say "Database tradepost_$name"; fi
        "$client" --batch <<<"$sql"
        narrow_grant "$client" || true
        "$ctl" --instance "$name" migrate >/dev/null
    else
        say "No MariaDB or MySQL that root may sign in to here. Set [database] in $etc/$name.toml, and run on its server, with the line of $etc/$name.password:"
        say "${sql//$(head -n1 "$etc/$name.password")/PASSWORD}"
        say "With MySQL's partial_revokes, write the name of the database without backslashes."
        say "Then here: tradepostctl --instance $name migrate"
    fi
}

drop_database() {
    local client sql="DROP DATABASE IF EXISTS tradepost_$name; DROP USER IF EXISTS tradepost_$name@localhost;"
    if client=$(root_client); then "$client" --batch <<<"$sql"; else say "No MariaDB or MySQL that root may sign in to here. Run on its server: $sql"; fi
}

# Moves all tables to the database of another name. A server has no statement for that, and the one for tables may be repeated.
rename_database() { # NEW
    local client new=$1 old=$name table moves=''
    client=$(root_client)
    [[ -e $etc/$new.password ]] || cp -p "$etc/$old.password" "$etc/$new.password"
    name=$new
    "$client" --batch <<<"$(database_statements "$client")"
    name=$old
    for table in $(tables "$client" "$old"); do moves+="${moves:+, }tradepost_$old.$table TO tradepost_$new.$table"; done
    [[ ! $moves ]] || "$client" --batch <<<"RENAME TABLE $moves"
}
