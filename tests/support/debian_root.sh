# shellcheck shell=bash
# Roots of Debian and Ubuntu for the tests: made with mmdebstrap, kept below BUILD from one run to the next. Needs die().

# Whether the root has to be made: it is kept as long as what it is made of is the same, for a week at most, as Debian moves on.
root_is_old() { # ROOT STAMP
    ! [[ -d $1 && $(cat "$1.stamp" 2>/dev/null) == "$2" && $(find "$1.stamp" -mtime -7) ]]
}

# Prints what mmdebstrap needs for a release of Ubuntu. Debian 12 has no package of Ubuntu's keys.
ubuntu_options() {
    local folder=$BUILD/platforms/ubuntu-keys
    local keys=$folder/usr/share/keyrings/ubuntu-archive-keyring.gpg
    [[ -e $keys ]] || { rm -rf "$folder" && debian_root extract trixie "$folder" ubuntu-keyring; } || return
    printf '%s\n' --components=main,universe --keyring="$keys"
}

debian_root() { # VARIANT RELEASE FOLDER PACKAGE…
    local variant=$1 release=$2 folder=$3 options=''
    shift 3
    [[ $release != @(noble|resolute) ]] || options=$(ubuntu_options) || return
    # The release file of unstable may be older than it says it may be.
    # shellcheck disable=SC2086
    mmdebstrap --quiet --variant="$variant" $options --include="$(IFS=,; echo "$*")" --aptopt='Acquire::Retries "3"' \
        --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' "$release" "$folder"
}

# MySQL with all its libraries below /opt/mysql, from Debian unstable or Ubuntu: no release of Debian has it, and its libraries are newer
# than theirs.
add_mysql() { # ROOT RELEASE
    local mysql=$1/opt/mysql program command
    debian_root extract "$2" "$mysql" mysql-server-core mysql-client-core || return
    for program in sbin/mysqld bin/mysql bin/mysqldump; do
        command=$1/usr/local/bin/${program#*/}
        cat >"$command" <<SH
#!/bin/sh
lib=/opt/mysql/usr/lib
exec \$lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 --library-path \$lib/x86_64-linux-gnu:\$lib/mysql/private /opt/mysql/usr/$program "\$@"
SH
        chmod 755 "$command"
    done
    # It was compiled for other folders of plugins and messages.
    sed -i 's|"$@"$|& --basedir=/opt/mysql/usr --plugin-dir=$lib/mysql/plugin|' "$1/usr/local/bin/mysqld"
}

# make_root ROOT RELEASE SERVER PACKAGE…: SERVER is `mysql` or `mysql8.4` to add that one, which is a package of no release of Debian.
make_root() {
    local root=$1 release=$2 server=$3 stamp
    shift 3
    stamp=$({ echo "$release $server $*"; cat "${BASH_SOURCE[0]}"; } | sha256sum)
    root_is_old "$root" "$stamp" || return 0
    rm -rf "$root" "$root.stamp"
    mkdir -p "${root%/*}"
    echo "Making a root of $release in $root"
    {
        debian_root minbase "$release" "$root" "$@" && case $server in
            mysql) add_mysql "$root" sid ;;
            mysql8.4) add_mysql "$root" resolute ;;
        esac
    } >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; die "cannot make a root of $release"; }
    echo "$stamp" >"$root.stamp"
}

# system_root RELEASE PACKAGE [boot]: one in which the package can be installed, with what that depends on, servers, and what the tests use;
# with `boot` what the group boot uses, which is made in half the time. Sets SYSTEM_ROOT.
system_root() {
    local packages
    mapfile -t packages < <(
        sed "${3:+/^# The group boot/,\$d;}/^#/d" tests/system/packages
        dpkg-deb --field "$2" Depends | sed 's/([^)]*)//g; s/|[^,]*//g' | tr -d ' ' | tr ',' '\n'
    )
    SYSTEM_ROOT=$BUILD/system/$1${3:+-$3}
    make_root "$SYSTEM_ROOT" "$1" "${3:-mysql}" "${packages[@]}"
    # It would take nginx's ports. A test starts it.
    rm -f "$SYSTEM_ROOT/etc/systemd/system/multi-user.target.wants/apache2.service"
}

# Runs systemd-nspawn with a network of its own and the system calls that the confined process needs. The container ends when the
# script does.
NSPAWN=(setpriv --pdeathsig TERM -- systemd-nspawn --quiet --register=no --keep-unit --console=pipe --private-network --resolv-conf=off --timezone=off
    --system-call-filter='landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp')
