# shellcheck shell=bash
# Functions that the scripts beside it share. A stack is a folder, $STATE, with its configuration, data, sockets (run/), logs
# (log/) and one folder per service for runit (sv/).
set -euo pipefail
umask 077
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
STACK=$ROOT/systemd/runit
ME=${ME:-${0##*/}}

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "$ME" "$*" >&2; exit 1; }

use_state() {
    STATE=$(realpath -m -- "${STATE:-var}")
    BUILD=$(realpath -m -- "${BUILD:-build}")
    # These paths are written into nginx's, the database server's and TOML files, where such characters have a meaning.
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

# Allows one command at a time per stack. Descriptor 9 holds the lock; no service may inherit it.
lock() {
    exec 9>>"$STATE/lock"
    flock -n 9 && return 0  # in the EXIT trap, a bare return would return the status from before the trap
    say "Waiting for another command on $STATE"
    flock -w 180 9 || die "another command holds $STATE/lock"
}
unlock() { flock -u 9; }

# read_stat PID: puts what follows the name in /proc/PID/stat into the array `stat`; fails when there is no such process, or only its exit
# status is left. Starts no program: with hundreds of processes on a host that would take minutes.
read_stat() {
    local text=
    { read -rd '' text <"/proc/$1/stat"; } 2>/dev/null || true  # it ends with the file and not with NUL
    # The process name in brackets may contain spaces.
    # shellcheck disable=SC2206  # words of digits and one letter
    stat=(${text##*) })
    [[ ${stat[*]} && ${stat[0]} != Z ]]
}

start_time() { # PID: its start time in clock ticks since boot; empty when there is no such process
    local stat
    read_stat "$1" && printf '%s' "${stat[19]}" || true
}

# remember NAME PID: writes "PID START_TIME", so that a reused PID is not mistaken for the process.
remember() { printf '%s %s\n' "$2" "$(start_time "$2")" >"$STATE/run/$1.pid"; }

# recall NAME: prints the PID of a remembered process that is still running; fails when it is not.
recall() {
    local pid start
    read -r pid start 2>/dev/null <"$STATE/run/$1.pid" || return 1
    [[ $start && $(start_time "$pid") == "$start" ]] || return 1
    printf '%s' "$pid"
}

# Prints the processes of a service's process group, which survive a killed supervisor. Only those whose working directory is
# in the stack's folder count.
group_members() {
    local leader stat pid
    read -r leader _ 2>/dev/null <"$STATE/run/$1.pid" || return 0
    for pid in /proc/[0-9]*; do
        pid=${pid##*/}
        read_stat "$pid" && [[ ${stat[2]} == "$leader" && $(readlink "/proc/$pid/cwd") == "$STATE"/* ]] && printf '%s\n' "$pid"
    done
    return 0
}

# end_group SERVICE TENTHS: stops the remaining processes of a service by SIGTERM, and by SIGKILL after so many tenths of a second.
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

# Starts runsvdir on $STATE/sv in a new session, so that Ctrl-C in the terminal reaches this script only. With `tied`,
# runsvdir and the services stop when this script is killed.
start_supervisor() {
    local tie=()
    [[ ${1:-} == tied ]] && tie=(setpriv --pdeathsig HUP --)
    (
        # A reader of this script's output must not wait until the services close their copies of it.
        for fd in /proc/self/fd/*; do
            fd=${fd##*/}
            ((fd > 2)) && eval "exec $fd>&-" 2>/dev/null
        done
        unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
        exec setsid "${tie[@]}" runsvdir -P "$STATE/sv" </dev/null >>"$STATE/log/runit.log" 2>&1
    ) 9>&- &
    SUPERVISOR=$!
    # setsid forks only when it is a group leader, which it is not here: so this PID is runsvdir's.
    remember runsvdir "$SUPERVISOR"
}

# Stops all services of a stack, even when its supervisor was killed. runsvdir stops first, because it would restart the
# others; the database stops last, because requests in progress need it.
stop_all() {
    local pid service
    if pid=$(recall runsvdir); then
        kill -TERM "$pid" 2>/dev/null || true
        while [[ $(recall runsvdir) ]]; do sleep 0.05; done
    fi
    for service in nginx uploads auth api deliver index searchd mariadb mysql; do
        supervised "$service" || continue
        if [[ -e $STATE/sv/$service/supervise/ok ]]; then
            sv -w 30 force-shutdown "$STATE/sv/$service" >/dev/null 2>&1 || true
        fi
        end_group "$service" 100
    done
    rm -f "$STATE"/run/*.sock "$STATE"/run/*.pid
}

# await SECONDS COMMAND…: repeats the command until it succeeds; fails after so many seconds.
await() {
    local until=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < until)) || return 1
        sleep 0.1
    done
}

service_up() { [[ $(sv status "$STATE/sv/$1" 2>/dev/null) == run:* ]]; }

# write_service NAME SCRIPT: writes a service's run script. It appends to the service's log, stops processes that a killed
# supervisor left, and then runs the shell text SCRIPT, which starts the service in its own process group.
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

# Starts a service. Without the file `down`, a restarted runsv starts it too.
start_service() {
    await 20 test -p "$STATE/sv/$1/supervise/control" || die "runit does not supervise $1; see $STATE/log/runit.log"
    rm -f "$STATE/sv/$1/down"
    await 5 sv up "$STATE/sv/$1" >/dev/null 2>&1 || die "cannot start $1"
}

# Renames logs above 50 MiB at each start, since nothing else rotates them.
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
