# shellcheck shell=bash
# Backups of an instance, and their way back. Needs tradepost-instance's variables and functions.
#
#   DIR/NAME-TIME/manifest           what the backup has; written last
#   DIR/NAME-TIME/database.sql.gz    a dump of one moment
#   DIR/NAME-TIME/configuration.tar  settings, keys, certificates, what was added to nginx and systemd
#   DIR/NAME-TIME/uploads/           links to the files of the store where it is on the same file system, else to those of the backup before
#
# The names of encrypted files end in .age or .gpg. A folder that ends in .part was interrupted.

# Prints the command for a dump. The programs have no option against a limit of the server, and would leave out rows and tables without a word.
dump_command() { # CLIENT
    local limit
    limit=$("$1" --batch --skip-column-names <<<'SELECT @@global.sql_select_limit') || return
    [[ $limit == 18446744073709551615 ]] || {
        complain "the database server has sql_select_limit = $limit, so a dump would be cut off: run SET GLOBAL sql_select_limit = 18446744073709551615"
        return 1
    }
    if [[ $1 == mysql ]]; then say 'mysqldump --set-gtid-purged=OFF'; else say mariadb-dump; fi
}

# Passes a dump on, and writes "rows TABLE NUMBER" for each table that has rows. Fails when the dump is cut short.
count_rows() { # FILE
    # shellcheck disable=SC2016
    ROWS=$1 perl -ne 'print; $last = $_ if /\S/;
        if (/^INSERT INTO `([^`]+)` (?:\([^)]*\) )?VALUES/g) { $table = $1; $_ = substr $_, pos } elsif (!defined $table) { next }
        $end = /;$/; s/'\''(?:[^'\''\\]|\\.)*'\''//g; $rows{$table} += tr/(//; undef $table if $end;
        END { open F, ">", $ENV{ROWS} or exit 1; print F "rows $_ $rows{$_}\n" for sort keys %rows; close F or exit 1; exit 1 if $last !~ /^-- Dump completed/ }'
}

encrypt() {
    case $suffix in
        '') cat ;;
        .age) age --encrypt --recipient "$encrypt_to" ;;
        .gpg) gpg --batch --quiet --no-tty --no-secmem-warning --trust-model always --encrypt --recipient "$encrypt_to" ;;
    esac
}
decrypt() { # FILE
    case $1 in
        *.age) age --decrypt --identity "$identity" "$1" ;;
        *.gpg) gpg --batch --quiet --no-tty --no-secmem-warning --decrypt "$1" ;;
        *) cat "$1" ;;
    esac
}

# Prints the complete backups of the instance, the newest first.
backups() { # DIR
    local manifest
    for manifest in "$1/$name"-[0-9]*Z/manifest; do [[ ! -e $manifest ]] || say "${manifest%/manifest}"; done | sort --reverse
}

manifest() { sed -n "s/^$2 //p" "$1/manifest"; } # BACKUP KEY

stored_files() { (cd "$1" && find . -mindepth 2 -type f -path './[0-9a-f][0-9a-f]/*' -printf "%P${2:-}\n" | sort); } # STORE [SUFFIX]

# Gives files the times of others, since nginx makes ETags of them. Reads the names without their suffixes.
copy_times() { # FROM SUFFIX TO SUFFIX
    perl -e '($from, $had, $to, $has) = @ARGV; while (<STDIN>) { chomp; utime @s[8, 9], "$to/$_$has" if @s = stat "$from/$_$had" }' "$@"
}

# Runs `cp`, whose only fault may be that a file was deleted meanwhile.
unless_deleted() { # COMMAND…
    local said
    said=$(LC_ALL=C "$@" 2>&1) || ! grep -vF 'No such file or directory' <<<"$said" >&2
}

# A file of the store never changes, and may be deleted meanwhile: the dump is older, so its rows had it, and whoever deleted it meant to.
back_up_uploads() { # STORE TARGET PREVIOUS
    local store=$1 target=$2 previous=$3 file
    mkdir "$target" || return
    if [[ ! $suffix && $(stat -c %d "$store") == "$(stat -c %d "$target")" ]]; then
        unless_deleted find "$store" -mindepth 1 -maxdepth 1 -type d -name '[0-9a-f][0-9a-f]' -exec cp --archive --link -t "$target" {} +
        return
    fi
    if [[ -d $previous/uploads ]]; then
        cp --archive --link "$previous/uploads/." "$target" || return
        comm -13 <(stored_files "$store" "$suffix") <(stored_files "$target") | (cd "$target" && xargs -r -d '\n' rm -f) || return
    fi
    comm -23 <(stored_files "$store" "$suffix") <(stored_files "$target") >"$target.new" || return
    if [[ ! $suffix ]]; then
        (cd "$store" && unless_deleted xargs -r -d '\n' cp --archive --parents -t "$target" <"$target.new") || return
    else
        while IFS= read -r file; do
            [[ -d $target/${file%/*} ]] || mkdir -p "$target/${file%/*}" || return
            [[ -e $store/${file%"$suffix"} ]] || continue
            encrypt <"$store/${file%"$suffix"}" >"$target/$file" || { rm -f "$target/$file" && [[ ! -e $store/${file%"$suffix"} ]]; } || return
        done <"$target.new"
    fi
    # Of all files: one that was uploaded again has another time.
    stored_files "$target" | sed "s/\\$suffix\$//" | copy_times "$store" '' "$target" "$suffix" || return
    rm "$target.new"
}

# Writes all of a backup. Each step says whether it worked, since the disk may be full.
write_backup() { # TARGET PREVIOUS
    local target=$1 client dump database store files
    client=$(root_client) || { complain "root cannot sign in to a database server here: run this on the server of the database"; return 1; }
    database=$(setting database.name) && store=$(setting uploads.directory) && dump=$(dump_command "$client") || return
    # shellcheck disable=SC2086
    $dump --single-transaction --no-autocommit "$database" | count_rows "$target/rows" | gzip --fast | encrypt >"$target/database.sql.gz$suffix" || return
    back_up_uploads "${store%/}" "$target/uploads" "$2" || return
    mapfile -t files < <(cd /etc && compgen -G "tradepost/$name.*"; [[ ! -d nginx/tradepost/$name/extra ]] || say "nginx/tradepost/$name/extra"
        drop_ins | sed 's|^/etc/||')
    tar --create --dereference --directory /etc "${marks[@]/#/--exclude=tradepost/$name.}" "${files[@]}" |
        encrypt >"$target/configuration.tar$suffix" || return
    {
        say "tradepost-backup 1" && say "name $name" && say "version $version" && { [[ ! $suffix ]] || say "encrypted-to $encrypt_to"; } && say "taken $(date -u +%Y-%m-%dT%H:%M:%SZ)" &&
            say "schema $("$client" --batch --skip-column-names <<<"SELECT COALESCE(MAX(number), 0) FROM \`$database\`.schema_migrations")" &&
            say "uploads $(stored_files "$target/uploads" | wc -l)" && cat "$target/rows" &&
            (cd "$target" && sha256sum "database.sql.gz$suffix" "configuration.tar$suffix" | sed 's/^/sha256 /')
    } >"$target/manifest.new" && rm "$target/rows" && sync -f "$target" && mv "$target/manifest.new" "$target/manifest"
}

needs_program() { command -v "$1" >/dev/null || die "no $1 here: install the package that has it, age or gnupg"; } # age|gpg

backup() { # [DIR]
    local directory=${1%/} target previous suffix='' each
    [[ ${encrypt_to+x} ]] || encrypt_to=$(setting backup.encrypt_to)
    if [[ ! $1 ]]; then
        directory=$(setting backup.directory)
        directory=${directory%/}
        [[ $directory ]] || die "name DIR, or set directory of [backup] in $etc/$name.toml"
        [[ $keep ]] || keep=$(setting backup.keep)
    fi
    [[ $directory == /* && -d $directory ]] || die "DIR must be the path of a folder that is there: $directory"
    case $encrypt_to in '') ;; age1* | ssh-*) suffix=.age ;; *) suffix=.gpg ;; esac
    if [[ $suffix ]]; then
        needs_program "${suffix#.}"
        encrypt </dev/null >/dev/null 2>&1 || die "${suffix#.} cannot encrypt to $encrypt_to: it is no recipient of age, and no key that root's keyring has"
    fi
    exec 8>>"$directory/.$name.lock"
    flock --nonblock 8 || die "another backup of $name is being written to $directory"
    rm -rf "$directory/$name"-*.part
    previous=$(backups "$directory" | head -n1)
    # Its files are for its key alone.
    [[ ! $previous || $(manifest "$previous" encrypted-to) == "$encrypt_to" ]] || previous=
    target=$directory/$name-$(date -u +%Y%m%dT%H%M%SZ)
    [[ ! -e $target ]] || die "$target is there already"
    (umask 077 && mkdir "$target.part")
    if ! write_backup "$target.part" "$previous"; then
        rm -rf "$target.part"
        die "nothing was backed up"
    fi
    mv -T "$target.part" "$target"
    touch "$etc/$name.backed-up"
    if [[ $keep ]]; then
        backups "$directory" | tail -n "+$((keep + 1))" | while IFS= read -r each; do mv -T "$each" "$each.part" && rm -rf "$each.part"; done
    fi
    say "$target"
}

# Prints what differs from the manifest in the restored database. Fails then.
compare_rows() { # CLIENT BACKUP
    local counts table
    counts=$(for table in $(tables "$1" "$name"); do say "SELECT 'rows', '$table', COUNT(*) FROM tradepost_$name.\`$table\` HAVING COUNT(*) > 0;"; done |
        "$1" --batch --skip-column-names | tr '\t' ' ' | sort) || return
    diff <(sed -n '/^rows /p' "$2/manifest" | sort) - <<<"$counts" >&2
}

# A rehearsal mounts files that need no decryption, once nobody changes their owners any more.
restore_uploads() { # BACKUP STORE
    local source=$1 store=$2 file
    mkdir -p "$store" || return
    if [[ $suffix ]]; then
        stored_files "$source/uploads" | while IFS= read -r file; do
            [[ -d $store/${file%/*} ]] || mkdir -p "$store/${file%/*}" || exit
            (umask 027 && decrypt "$source/uploads/$file" >"$store/${file%"$suffix"}") || exit
        done || return
        stored_files "$store" | copy_times "$source/uploads" "$suffix" "$store" '' || return
    elif [[ $rehearsing ]]; then
        store=$source/uploads
    else
        cp --archive --reflink=auto "$source/uploads/." "$store" || return
    fi
    [[ $(stored_files "$store" | wc -l) == "$(manifest "$source" uploads)" ]] || { complain "files of the uploads are missing"; return 1; }
}

# Makes the instance of the files of a backup. Nothing of it may be there.
restore_parts() { # BACKUP
    local source=$1 was work client file store=/var/lib/tradepost/$name
    was=$(manifest "$source" name)
    work=$etc/$name.restoring
    client=$(root_client) || { complain "root cannot sign in to a database server here"; return 1; }
    mkdir "$work/etc" && decrypt "$source"/configuration.tar* | tar --extract --directory "$work/etc" || return
    for file in "$work/etc/tradepost/$was".*; do mv "$file" "$work/$name.${file#"$work/etc/tradepost/$was."}" || return; done
    renamed_settings "$work/$name.toml" "$was" "$name" >"$work/settings" && cat "$work/settings" >"$work/$name.toml" || return
    [[ ! $host ]] || sed -Ei "s|^([[:space:]]*base_url[[:space:]]*=[[:space:]]*).*|\\1\"https://$host\"|" "$work/$name.toml"
    [[ ! $rehearsing ]] || rehearsal_settings "$work/$name.toml" || return
    [[ $("$ctl" --config "$work/$name.toml" config get uploads.directory) == "$store" ]] || { complain "the uploads of $was were not below /var/lib/tradepost: restore by hand"; return 1; }
    for file in name user; do
        [[ $("$ctl" --config "$work/$name.toml" config get database.$file) == "tradepost_$name" ]] || { complain "the $file in [database] of $was was not tradepost_$was: restore by hand"; return 1; }
    done
    for file in $(names); do
        [[ $("$ctl" --config "$work/$name.toml" config get http.base_url) != "$("$ctl" --config "$etc/$file.toml" config get http.base_url)" ]] ||
            { complain "$file has the same host name: --host gives another one"; return 1; }
    done
    for file in "$work/$name".*; do [[ $file == *.toml ]] || mv "$file" "$etc" || return; done
    "$client" --batch <<<"$(database_statements "$client")" || return
    decrypt "$source"/database.sql.gz* | gunzip | "$client" "tradepost_$name" && compare_rows "$client" "$source" || return
    # With the keys of before, a client's copy from between the backup and the loss would count as current.
    "$client" --batch <<<"DELETE FROM tradepost_$name.instance_keys" || return
    restore_uploads "$source" "$store" || return
    [[ ! -d $work/etc/nginx ]] || { mkdir -p "$nginx_folder/$name" && cp --archive "$work/etc/nginx/tradepost/$was/extra" "$nginx_folder/$name/"; } || return
    for file in "$work"/etc/systemd/system/*; do
        [[ ! -e $file ]] || cp --archive -T "$file" "/etc/systemd/system/$(basename "$file" | sed "s/\\([@-]\\)$was\\./\\1$name./")" || return
    done
    chmod 640 "$work/$name.toml" && mv "$work/$name.toml" "$etc"
}

# Dies when anything of an instance NAME is here, and undoes a run that was interrupted: its folder is there from the first step to the last.
require_free_name() { # FOLDER
    local client
    if [[ -e $1 ]]; then
        ! running_systemd || ! systemctl is-active --quiet "tradepost@$name.target" || die "$name runs: stop it first"
        undo_restore
    elif [[ -e $etc/$name.toml || -e /var/lib/tradepost/$name ]] || id "tradepost-$name" >/dev/null 2>&1; then
        die "there is an instance $name, or what was left of it: choose another name, or run tradepost-instance purge $name first"
    fi
    client=$(root_client) || die "root cannot sign in to a database server here: run this on the server of the database"
    [[ ! $(tables "$client" "$name") ]] || die "there is a database tradepost_$name: drop it, or choose another name"
}

restore() { # BACKUP
    local source=${1%/} known sums suffix
    [[ $source == /* && -e $source/manifest ]] || die "$1 is no backup that tradepost-instance completed"
    [[ ! $host ]] || check_host
    check_nginx
    [[ $(manifest "$source" tradepost-backup) == 1 ]] || die "$source was written by a newer version: install that one"
    known=$("$ctl" --version | sed -nE 's/.*schema ([0-9]+).*/\1/p')
    (($(manifest "$source" schema) <= known)) || die "$source has the schema $(manifest "$source" schema), and this version knows $known: install the version $(manifest "$source" version) or a newer one"
    suffix=$(cd "$source" && compgen -G 'database.sql.gz*') || true
    suffix=${suffix#database.sql.gz}
    [[ ! $suffix ]] || needs_program "${suffix#.}"
    [[ $suffix != .age || -r $identity ]] || die "the backup is encrypted: --identity FILE names the key"
    sums=$(sed -n 's/^sha256 //p' "$source/manifest")
    (cd "$source" && sha256sum --check --quiet --status <<<"$sums") || die "$source is damaged: its files are not those of its manifest"
    decrypt "$source/configuration.tar$suffix" >/dev/null 2>&1 || die "$source is encrypted for a key that ${identity:-the keyring of root} does not have"
    exec 8>>"$etc/.restore.lock"
    flock --nonblock 8 || die "another backup is being restored on this host"
    require_free_name "$etc/$name.restoring"
    (umask 077 && mkdir "$etc/$name.restoring")
    if ! (restore_parts "$source"); then
        undo_restore
        die "nothing was restored"
    fi
    if ! (make_accounts && make_folders && "$ctl" --instance "$name" migrate >/dev/null && own_configuration && write_nginx "$name"); then
        undo_restore
        die "nothing was restored"
    fi
    ! running_systemd || systemctl daemon-reload
    rm -rf "$etc/$name.restoring"
    say "$name is as it was at $(manifest "$source" taken). Emails, webhooks and push messages that waited then are sent again;"
    say "to drop them first: tradepostctl --instance $name outbox drop --state waiting"
    say "To start the instance, now and at every boot: systemctl enable --now tradepost@$name.target"
}

undo_restore() {
    local file
    (drop_database)
    (remove_configuration)
    (remove_users)
    for file in $(drop_ins) "/var/lib/tradepost/$name" "$etc/$name".*; do rm -rf "$file"; done
}
