# shellcheck shell=bash
# Rehearsals of a restore, and of an upgrade. Needs tradepost-instance's variables and functions.
#
# A backup of NAME is restored as the instance 0NAME, a name that no instance can have, in namespaces of its own: a network without a way
# out, processes that all end with the first one, and private folders at /etc, /var/lib/tradepost, /run/tradepost and nginx's. So `restore`
# runs as it is, and the workers and nginx run at their usual places. Outside are only:
#
#   /var/lib/tradepost-rehearsal/NAME/                 the private folders, and the new package
#   tradepost_0NAME, tradepost_1NAME                   databases of the old and of the new version, and the user tradepost_0NAME

rehearsals=/var/lib/tradepost-rehearsal

# Prints the backup to rehearse.
choose_backup() {
    local directory
    [[ ! $path ]] || { say "${path%/}"; return; }
    directory=$(setting backup.directory 2>/dev/null) || true
    [[ $directory ]] || die "name a backup, or set directory of [backup] in $etc/$name.toml"
    path=$(backups "${directory%/}" | head -n1)
    [[ $path ]] || die "there is no complete backup of $name in $directory"
    say "$path"
}

# Unpacks the package, if it is one of this version or a newer one.
unpack_package() { # FILE FOLDER
    local new installed
    [[ $(dpkg-deb --field "$1" Package 2>/dev/null) == tradepost ]] || { complain "$1 is no package of tradepost"; return 1; }
    new=$(dpkg-deb --field "$1" Version) && installed=$(dpkg-query --show --showformat='${Version}' tradepost 2>/dev/null) || installed=$version
    dpkg --compare-versions "$new" ge "$installed" || { complain "$1 has the version $new, and $installed is installed"; return 1; }
    dpkg-deb --extract "$1" "$2"
}

# Prints the paths of the API and of uploads that were read in the last hour, the most frequent first. The log has no queries.
logged_paths() {
    local log=/var/log/nginx/tradepost-$name.log
    cat "$log.1" "$log" 2>/dev/null | awk -v from="$(date --date '1 hour ago' +%Y-%m-%dT%H:%M:%S)" '
        substr($2, 2, 19) >= from && $3 ~ /^"(GET|HEAD)$/ { sub(/[?"].*/, "", $4); print $4 }' |
        grep -E '^/(api/v1|uploads)/' | grep -vE '/-(/|$)|^/api/v1/(openapi\.|diagnosis/)' | sort | uniq -c | sort -rn | awk 'NR <= 2000 {print $2}' || true
}

# Ends what still runs of this rehearsal, and removes what is left of it or of one that was killed.
remove_rehearsal() {
    local client
    if [[ $child ]]; then
        # The first process of the namespace takes all others with it, and the one that waits for it ends after them.
        pkill -KILL -P "$child" || kill -KILL "$child" 2>/dev/null || true
        wait "$child" 2>/dev/null || true
        child=
    fi
    rm -rf --one-file-system "${rehearsals:?}/$name"
    rmdir "$rehearsals" 2>/dev/null || true
    client=$(root_client) || return 0
    "$client" --batch <<<"DROP DATABASE IF EXISTS tradepost_0$name; DROP DATABASE IF EXISTS tradepost_1$name; DROP USER IF EXISTS tradepost_0$name@localhost;"
}

rehearse() {
    local folder=$rehearsals/$name source child='' code=0 began=$SECONDS apart=()
    command -v nginx >/dev/null || die "no nginx here, which a rehearsal needs"
    root_client >/dev/null || die "root cannot sign in to a database server here: run this on the server of the database"
    source=$(choose_backup)
    [[ $source == /* && -e $source/manifest ]] || die "$source is no backup that tradepost-instance completed"
    [[ $identity ]] || identity=$(setting backup.identity 2>/dev/null) || identity=
    exec 7>>"/run/lock/tradepost-rehearsal-$name"
    flock --timeout 5 7 || die "another rehearsal of $name is running"
    trap 'exit 1' INT TERM HUP
    trap remove_rehearsal EXIT
    remove_rehearsal
    (umask 077 && mkdir -p "$folder") || die "$folder cannot be made"
    if [[ $package ]]; then
        unpack_package "$package" "$folder/package" && logged_paths >"$folder/paths" || die "nothing was rehearsed"
    fi
    ! running_systemd || apart=(systemd-run --quiet --scope --collect --property CPUWeight=10 --property IOWeight=10)
    # Whatever ends this process ends the others too, which hold the lock until then. In a session of their own they get no signal that is for
    # this one, so that none of them is left when it removes the rehearsal.
    TRADEPOST_REHEARSAL=$folder setsid setpriv --pdeathsig KILL -- "${apart[@]}" nice -n 19 ionice -c 3 \
        unshare --mount --net --pid --fork --kill-child --mount-proc -- "$0" rehearse "$name" "$source" ${identity:+--identity "$identity"} ${package:+--package "$package"} &
    child=$!
    wait "$child" || code=$?
    remove_rehearsal
    trap - EXIT
    ((code == 0)) || die "$source: the rehearsal found the faults above"
    say "$name's backup of $(manifest "$source" taken) was restored in $((SECONDS - began)) s: all is there"
    touch "$etc/$name.rehearsed"
}

# Puts private folders in the place of the host's.
private_root() {
    local folder=$rehearsing source=$path each
    mkdir -p "$folder"/{etc,lib,run,log,nginx,backup} && cp --archive --one-file-system /etc/. "$folder/etc" || return
    rm -rf "$folder/etc/tradepost" "$folder"/etc/nginx/{tradepost,conf.d,sites-enabled}
    mkdir -p "$folder"/etc/{tradepost,nginx/conf.d,nginx/sites-enabled} && cat >"$folder/etc/nginx/nginx.conf" <<'NGINX' || return
user root;
worker_processes 1;
pid /run/tradepost/nginx.pid;
error_log /var/log/nginx/error.log;
include /etc/nginx/modules-enabled/*.conf;
events { worker_connections 512; }
http {
    variables_hash_max_size 2048;
    variables_hash_bucket_size 128;
    include /etc/nginx/conf.d/*.conf;
    include /etc/nginx/sites-enabled/*;
}
NGINX
    if [[ $identity ]]; then
        install -m 600 /dev/null "$folder/identity" && mount --bind "$identity" "$folder/identity" && identity=$folder/identity || return
    fi
    mkdir -p /var/lib/tradepost /run/tradepost
    mount --bind -o ro "$source" "$folder/backup" && mount --bind "$folder/etc" /etc && mount --bind "$folder/lib" /var/lib/tradepost || return
    private_processes "$folder" || return
    # systemd is not told of anything.
    [[ ! -d /run/systemd ]] || mount -t tmpfs -o size=64k tradepost /run/systemd || return
    mkdir -p "$source" && mount --bind "$folder/backup" "$source" || return
    perl -e '$lo = pack "a16 s x22", "lo", 1; socket S, 2, 2, 0 and ioctl S, 0x8914, $lo or die "no loopback addresses: $!\n"'
}

private_processes() { # FOLDER
    mkdir -p "$1"/{run,log,nginx} /var/lib/nginx && mount --bind "$1/run" /run/tradepost && mount --bind "$1/log" /var/log/nginx && mount --bind "$1/nginx" /var/lib/nginx
}

# Makes settings those of the throw-away: this host's database server, nginx at a loopback address, no limits of rates, no search server.
rehearsal_settings() { # FILE
    local socket
    socket=$("$client" --batch --skip-column-names <<<'SELECT @@socket') || return
    awk -v socket="$socket" '
        /^[ \t]*\[/ { sub(/#.*/, ""); gsub(/[] \t[]/, ""); section = $0; if (section !~ /^(rate_limits|search)$/) print "[" section "]" }
        /^[a-z_.]+$/ && section == $0 {
            if (section == "database") print "socket = \"" socket "\"\nmax_connections = 5"
            if (section == "http") print "listen = [\"127.0.0.1:443\"]"
            next
        }
        section ~ /^(rate_limits|search)$/ { next }
        section == "database" && /^[ \t]*(socket|host|port|hosts|reads|tls_ca|max_connections)[ \t]*=/ { next }
        section == "http" && /^[ \t]*(listen|behind_proxy|trusted_proxies)[ \t]*=/ { next }
        { print }
        END { print "\n[rate_limits]"; for (i = split("auth auth_address public write", each, " "); i > 0; i--) print each[i] " = \"1000000/1m\"" }' "$1" >"$1.new" &&
        mv "$1.new" "$1"
}

# Starts nginx, and the pools of the version below PREFIX that answer reads.
start_processes() { # PREFIX
    local pool
    find "$etc/$name".* ! -name '*.key' -exec chgrp "tradepost-$name" {} + -exec chmod g+r {} + && nginx || return
    for pool in api uploads; do
        # shellcheck disable=SC2016
        perl -MSocket -MPOSIX=dup2 -e 'my ($s, $path) = (undef, shift); socket($s, PF_UNIX, SOCK_STREAM, 0) && bind($s, pack_sockaddr_un($path)) && listen($s, 1024)
            && dup2(fileno $s, 0) or die "$path: $!\n"; exec @ARGV' "/run/tradepost/$name/$pool.sock" \
            setpriv --reuid "tradepost-$name" --regid "tradepost-$name" --init-groups --no-new-privs \
            multiwatch -f 2 -r 1000 -t 200 -- "$1/sbin/tradepost-worker" --instance "$name" >"/var/log/nginx/$pool.log" 2>&1 &
    done
}

# Says why workers or nginx did not start, if that is why, and fails.
blame_workers() { # FOLDER
    grep -hvE 'level=info|\[error\]' "$1"/log/{api,uploads,error}.log 2>/dev/null | tail -n 2 >&2
    return 1
}

# In the namespaces; see above. The folder says how far it is.
inside() {
    if [[ -d $rehearsing/new ]]; then start_new_version; else rehearse_inside; fi
}

# Restores the backup, and checks what the throw-away is.
rehearse_inside() {
    local live=$name code=0 said each
    export SYSTEMD_LOG_LEVEL=err
    private_root || die "the private folders cannot be made"
    name=0$name
    (restore "$path") >/dev/null
    say "ok   $(grep -c '^rows ' "$path/manifest") tables have their $(awk '$1 == "rows" {sum += $3} END {print sum + 0}' "$path/manifest") rows, the store has its $(manifest "$path" uploads) files"
    # Those of an encrypted backup lie there already.
    for each in "$path"/uploads/[0-9a-f][0-9a-f]; do
        [[ ! -d $each || -d /var/lib/tradepost/$name/${each##*/} ]] ||
            { mkdir "/var/lib/tradepost/$name/${each##*/}" && mount --bind -o ro "$each" "/var/lib/tradepost/$name/${each##*/}"; } || die "the uploads cannot be mounted"
    done
    said=$("$ctl" --instance "$name" recount --missing) || die "the totals cannot be counted"
    if [[ $said == nothing* ]]; then
        said=$("$ctl" --instance "$name" recount --totals) || die "the totals cannot be counted"
        if [[ ${said##* } == 0 ]]; then say "ok   the totals of lists"; else say "FAIL ${said##* } totals of lists are wrong: run tradepostctl --instance $live recount --totals"; code=1; fi
    fi
    said=$("$ctl" --instance "$name" doctor --no-web | grep -E '^(ok  |FAIL|WARN) (database|schema|totals|uploads|rows|texts)') || die "doctor says nothing"
    say "$said"
    ! grep -q ^FAIL <<<"$said" || code=1
    start_processes "$prefix" || die "the throw-away does not start"
    "$ctl" --instance "$name" rehearsal documents --at 127.0.0.1:443 --readers "$rehearsing/readers" || { blame_workers "$rehearsing" || code=1; }
    ((code == 0)) || exit "$code"
    [[ ! $package ]] || rehearse_upgrade
}

# Runs the new version with a copy of the database, beside the old one, and compares their answers.
rehearse_upgrade() {
    local new=$rehearsing/new client
    client=$(root_client) || exit 1
    "$client" --batch <<<"CREATE DATABASE tradepost_1${name#0} CHARACTER SET utf8mb4; $(grant "tradepost_1${name#0}" "$client")" &&
        $(dump_command "$client") --single-transaction "tradepost_$name" | "$client" "tradepost_1${name#0}" || die "the database cannot be copied"
    mkdir "$new" && cp --archive /etc "$new/etc" &&
        sed -Ei "s/^([[:space:]]*name[[:space:]]*=[[:space:]]*)\"tradepost_$name\"/\\1\"tradepost_1${name#0}\"/; s/127\\.0\\.0\\.1:443/127.0.0.2:443/" "$new/etc/tradepost/$name.toml" ||
        die "the settings cannot be copied"
    TRADEPOST_REHEARSAL=$rehearsing unshare --mount -- "$0" rehearse "${name#0}" "$path" || exit 1
    if [[ -s $rehearsing/paths ]]; then say "ok   $(wc -l <"$rehearsing/paths") paths of the last hour's log, and the fixed ones, are asked for"
    else say "ok   the log of the last hour has no reads of the API: only the fixed paths are asked for"; fi
    "$ctl" --instance "$name" rehearsal compare --at 127.0.0.1:443 --beside 127.0.0.2:443 --readers "$rehearsing/readers" --paths "$rehearsing/paths" >"$rehearsing/compared" || {
        cat "$rehearsing/compared"
        blame_workers "$new" || exit 1
    }
    say "safe to upgrade: $(cat "$rehearsing/compared"), migration took $(cat "$new/took") s"
}

# In a further namespace, where the files of the new version's instance have the usual places.
start_new_version() {
    local new=$rehearsing/new began programs=/run/tradepost/package/usr
    name=0$name
    # The workers' user cannot enter the folder of the rehearsal.
    mount --bind "$new/etc" /etc && private_processes "$new" && mkdir /run/tradepost/package && mount --bind "$rehearsing/package" /run/tradepost/package &&
        systemd-tmpfiles --create "tradepost-$name.conf" || die "the private folders of the new version cannot be made"
    ctl=$programs/bin/tradepostctl
    "$ctl" --instance "$name" config check >/dev/null || die "the new version refuses the settings"
    began=$SECONDS
    "$ctl" --instance "$name" migrate >/dev/null || die "the new version cannot migrate the database"
    say $((SECONDS - began)) >"$new/took"
    "$ctl" --instance "$name" recount --missing >/dev/null && "$ctl" --instance "$name" reindex --missing >/dev/null || die "the new version cannot count or index"
    "$programs/sbin/tradepost-instance" nginx >/dev/null || die "nginx refuses the new version's configuration"
    start_processes "$programs" || die "the new version does not start"
}
