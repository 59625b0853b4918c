# shellcheck shell=bash
# Copies of an instance for tests: their names are invented, and they send nothing. Needs tradepost-instance's variables and functions, and
# those of backup.sh.
#
#   /etc/tradepost/LIVE.pseudonyms  the key that the invented names follow from, the same for all copies of LIVE; only root reads it
#   /etc/tradepost/NAME.cloning     is there from the first step to the last, and holds the settings until the names are invented
#
# Files of the store are hard links where it is on the same file system. They go on belonging to LIVE's user and group: nginx is in that group,
# and the copy's user can neither read nor change them. make_folders() leaves them so.

# Prints the lines of one section that set these keys to a single value.
carried_settings() { # FILE SECTION KEYS
    awk -v section="$2" -v keys="$3" '/^[[:space:]]*\[/ { inside = $0 ~ "^[[:space:]]*\\[[[:space:]]*" section "[[:space:]]*\\]"; next }
        inside && $0 ~ "^[[:space:]]*(" keys ")[[:space:]]*=[[:space:]]*(\"[^\"]*\"|[0-9]+|true|false)[[:space:]]*(#.*)?$"' "$1"
}

# Writes the settings of a new instance, and what the limits of LIVE are: so no address and no secret of another service gets into a copy.
# In it, `etc` is the folder NAME.cloning.
copy_settings() { # FILE-OF-LIVE
    local section keys lines file=$etc/$name.toml search
    mapfile -t listens < <("$ctl" --config "$1" config get http.listen)
    [[ $("$ctl" --config "$1" config get http.behind_proxy) == false ]] || behind_proxy=yes
    search=$("$ctl" --config "$1" config get search.engine) && make_password && make_settings || return
    while read -r section keys; do
        lines=$(carried_settings "$1" "$section" "$keys")
        [[ $lines ]] || continue
        if grep -qxF "[$section]" "$file"; then sed -i "/^\[$section\]$/r /dev/stdin" "$file" <<<"$lines"; else printf '\n[%s]\n%s\n' "$section" "$lines" >>"$file"; fi || return
    done <<'SECTIONS'
auth [a-z0-9_]+
limits [a-z_]+
log [a-z_]+
privacy [a-z_]+
rate_limits auth|auth_address|public|write|count_not_modified
uploads quota_bytes|spool_bytes
SECTIONS
    printf '\n[copy]\n# Of which instance, and when. Nothing is sent to the outside while this section is here.\nof = "%s"\non = "%s"\n' \
        "$live" "$(date -u +%F)" >>"$file" || return
    [[ $search != sphinx ]] || search_with_sphinx || return
    "$ctl" --config "$file" config check >/dev/null
}

# Nothing of the copy can start until the last step: its settings are not in place before.
clone_parts() {
    local work=$etc/$name.cloning client database dump store
    client=$(root_client) && make_accounts || return
    database=$(setting_of_live database.name) && store=$(setting_of_live uploads.directory) && dump=$(dump_command "$client") || return
    (settings=$etc/$live.toml && etc=$work && copy_settings "$settings") && "$client" --batch <<<"$(etc=$work && database_statements "$client")" || return
    # shellcheck disable=SC2086
    $dump --single-transaction --no-autocommit "$database" | count_rows "$work/manifest" | "$client" "tradepost_$name" && compare_rows "$client" "$work" || return
    (umask 027 && suffix='' encrypt_to='' back_up_uploads "${store%/}" "/var/lib/tradepost/$name" '') || return
    if [[ ! -e $etc/$live.pseudonyms ]]; then
        (umask 077 && openssl rand -hex 32 >"$work/key") && sync "$work/key" && mv "$work/key" "$etc/$live.pseudonyms" || return
    fi
    "$ctl" --config "$work/$name.toml" migrate >/dev/null && "$ctl" --config "$work/$name.toml" pseudonyms --key-file "$etc/$live.pseudonyms" >/dev/null || return
    make_folders && mv "$work/$name.password" "$etc" && make_certificate && mv "$work/$name.toml" "$etc" && own_configuration && write_nginx "$name"
}

setting_of_live() { "$ctl" --config "$etc/$live.toml" config get "$1"; } # KEY

clone() {
    local each
    [[ -e $etc/$live.toml ]] || die "there is no instance $live: tradepost-instance list names all"
    check_host
    check_nginx
    exec 8>>"$etc/.restore.lock"
    flock --nonblock 8 || die "another copy is being made on this host, or a backup restored"
    require_free_name "$etc/$name.cloning"
    for each in $(names); do
        [[ $("$ctl" --config "$etc/$each.toml" config get http.base_url) != "https://$host"?(:*) ]] || die "$each has the host name $host already"
    done
    renice --priority 10 $$ >/dev/null
    (umask 077 && mkdir "$etc/$name.cloning")
    if ! (clone_parts); then
        undo_restore
        die "nothing was copied"
    fi
    ! running_systemd || systemctl daemon-reload
    rm -rf "$etc/$name.cloning"
    say "$name is a copy of $live. Its names are invented, and it sends nothing. Nobody has a password: tradepostctl --instance $name user list shows the"
    say "invented addresses, and tradepostctl --instance $name user set-password --email ADDRESS sets one."
    say "To start the instance, now and at every boot: systemctl enable --now tradepost@$name.target"
}
