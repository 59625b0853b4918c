# shellcheck shell=bash
# Read by the scripts beside it. A stack is a folder, $STATE: configuration, data, sockets (run/), logs (log/) and one
# folder a service for runit (sv/). Its services are named in start order.
set -euo pipefail
umask 077
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
STACK=$ROOT/systemd/stack
ME=${ME:-${0##*/}}

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "$ME" "$*" >&2; exit 1; }

use_state() {
    STATE=$(realpath -m -- "${STATE:-var}")
    BUILD=$(realpath -m -- "${BUILD:-build}")
    # These paths stand in nginx's, MariaDB's and TOML files, where such characters mean something.
    local path bad='[][:space:]"'"'"'\\$;{}#&|*?[]'
    for path in "$STATE" "$BUILD" "$ROOT"; do
        [[ $path =~ $bad ]] && die "spaces and \"'\\\$;{}#&|*?[] are not supported in a path: $path"
    done
    # sun_path has 108 bytes, one of them the final NUL.
    local longest=$STATE/run/mariadb.sock
    local LC_ALL=C
    ((${#longest} <= 107)) || die "STATE is $((${#longest} - 107)) bytes too long for a Unix socket: $STATE"
    [[ $STATE != / ]] || die "STATE cannot be /"
}

make_state() {
    local reason
    reason=$(mkdir -p "$STATE" "$STATE"/{run,log,tmp,sv,uploads} 2>&1) || die "cannot write in $STATE: ${reason##*: }"
    [[ -w $STATE && -w $STATE/run && -w $STATE/log ]] || die "cannot write in $STATE; it may belong to another user"
}

# One command at a time for a stack. Held on descriptor 9, which no service may inherit.
lock() {
    exec 9>>"$STATE/lock"
    flock -n 9 && return 0  # in the EXIT trap a bare return would give the status from before it
    say "Waiting for another command on $STATE"
    flock -w 180 9 || die "another command holds $STATE/lock"
}
unlock() { flock -u 9; }

start_time() { # of a process, in clock ticks since boot; empty when there is none
    local stat
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    # The name in brackets may hold spaces.
    set -- ${stat##*) }
    [[ $1 == Z ]] || printf '%s' "${20}"
}

# Writes the process as "PID START" so that a number that was given away since is not taken for it.
remember() { printf '%s %s\n' "$2" "$(start_time "$2")" >"$STATE/run/$1.pid"; }

# Prints the pid of a remembered process that still lives.
recall() {
    local pid start
    read -r pid start 2>/dev/null <"$STATE/run/$1.pid" || return 1
    [[ $start && $(start_time "$pid") == "$start" ]] || return 1
    printf '%s' "$pid"
}

# Processes of a service's group, which outlive a killed supervisor. They must also sit in the stack's folder.
group_members() {
    local leader stat pid
    read -r leader _ 2>/dev/null <"$STATE/run/$1.pid" || return 0
    for stat in /proc/[0-9]*/stat; do
        pid=${stat//[^0-9]/}
        stat=$(cat "$stat" 2>/dev/null) || continue
        set -- ${stat##*) }
        [[ $1 != Z && $3 == "$leader" && $(readlink "/proc/$pid/cwd") == "$STATE"/* ]] && printf '%s\n' "$pid"
    done
    return 0
}

# Ends what is left of a service: asks, waits for $2 tenths of a second, then kills.
end_group() {
    local pids tenths=0
    while pids=$(group_members "$1") && [[ $pids ]]; do
        ((tenths == 0)) && { kill -TERM $pids 2>/dev/null || true; }
        ((tenths >= $2)) && { kill -KILL $pids 2>/dev/null || true; }
        sleep 0.1
        tenths=$((tenths + 1))
    done
    rm -f "$STATE/run/$1.pid"
}

supervised() { [[ -d $STATE/sv/$1 ]]; }

# Starts runsvdir over $STATE/sv, in a session of its own so that a terminal's Ctrl-C reaches only us. With `tied` it
# ends when this script is killed, and takes the services with it.
start_supervisor() {
    local tie=()
    [[ ${1:-} == tied ]] && tie=(setpriv --pdeathsig HUP --)
    (
        # Whoever reads our output must not wait for the services' copies of it to close.
        for fd in /proc/self/fd/*; do
            fd=${fd##*/}
            ((fd > 2)) && eval "exec $fd>&-" 2>/dev/null
        done
        unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
        exec setsid "${tie[@]}" runsvdir -P "$STATE/sv" </dev/null >>"$STATE/log/runit.log" 2>&1
    ) 9>&- &
    SUPERVISOR=$!
    # setsid forks when it leads a group already; ours never does, so the number is runsvdir's.
    remember runsvdir "$SUPERVISOR"
}

# Ends everything of a stack, also of one whose supervisor was killed: front to back, so that requests still find a
# database. runsvdir first, or it would start again what ends.
stop_all() {
    local pid service
    if pid=$(recall runsvdir); then
        kill -TERM "$pid" 2>/dev/null || true
        while [[ $(recall runsvdir) ]]; do sleep 0.05; done
    fi
    for service in nginx uploads auth api mariadb; do
        supervised "$service" || continue
        if [[ -e $STATE/sv/$service/supervise/ok ]]; then
            sv -w 30 force-shutdown "$STATE/sv/$service" >/dev/null 2>&1 || true
        fi
        end_group "$service" 100
    done
    rm -f "$STATE"/run/*.sock "$STATE"/run/*.pid
}

# await SECONDS COMMAND…: until it succeeds.
await() {
    local until=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < until)) || return 1
        sleep 0.1
    done
}

service_up() { [[ $(sv status "$STATE/sv/$1" 2>/dev/null) == run:* ]]; }

# Writes a service's run script: appends to its log, ends what a killed supervisor left of it, goes on in a group of
# its own. $2 is the shell text that becomes the service.
write_service() {
    mkdir -p "$STATE/sv/$1"
    cat >"$STATE/sv/$1/run.new" <<RUN
#!/usr/bin/env bash
exec >>"$STATE/log/$1.log" 2>&1
STATE="$STATE"
. "$STACK/common.sh"
end_group $1 300
remember $1 \$\$
ulimit -S -n 8192 2>/dev/null || true
$2
RUN
    chmod 700 "$STATE/sv/$1/run.new"
    mv "$STATE/sv/$1/run.new" "$STATE/sv/$1/run"
    touch "$STATE/sv/$1/down"
}

# Starts a service and lets runsv start it again if it should itself be restarted.
start_service() {
    await 20 test -p "$STATE/sv/$1/supervise/control" || die "runit does not look after $1; see $STATE/log/runit.log"
    rm -f "$STATE/sv/$1/down"
    await 5 sv up "$STATE/sv/$1" >/dev/null 2>&1 || die "cannot start $1"
}

# Logs grow by appending; a start is the moment to put a big one aside.
turn_logs() {
    local log
    for log in "$STATE"/log/*.log; do
        [[ -f $log && $(stat -c %s "$log") -gt 52428800 ]] && mv "$log" "$log.1"
    done
    return 0
}

show_log() {
    printf -- '--- %s\n' "$STATE/log/$1.log"
    tail -n 15 "$STATE/log/$1.log" 2>/dev/null
}
