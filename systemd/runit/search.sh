# The search server of the private stack and the program that keeps its indexes up to date. Needs common.sh and settings.sh.

# SEARCH=sphinx or mysql becomes a setting, which stays when SEARCH is not given again.
choose_search() {
    case ${SEARCH:-} in
        '') ;;
        mysql) SETTINGS+=$'\nsearch.engine = "mysql"' ;;
        sphinx) SETTINGS+=$'\nsearch.engine = "sphinx"\nsearch.socket = "'$STATE/run/sphinx.sock'"' ;;
        *) die "SEARCH is mysql or sphinx, not $SEARCH" ;;
    esac
}

has_search_server() { [[ $(get_setting search engine) == sphinx ]]; }

# The server is ready to be started once its indexes are those of this release.
write_search_services() {
    command -v searchd >/dev/null || die "searchd is needed: install the package sphinxsearch, or choose SEARCH=mysql"
    mkdir -p "$STATE/sphinx"
    local indexes
    indexes=$("$BUILD/tradepostctl" --config "$STATE/tradepost.toml" config sphinx "$STATE/sphinx") || die "cannot write $STATE/sphinx/sphinx.conf"
    rm -f "$STATE/sphinx/sphinx.conf"  # no worker of another version runs
    "$ROOT/systemd/search-files" "$STATE/sphinx" "$STATE/sphinx/sphinx.conf" <<<"$indexes"
    write_service searchd "rm -f \"$STATE/run/sphinx.sock\"
exec chpst -P searchd --console --config \"$STATE/sphinx/sphinx.conf\""
    write_service index "exec chpst -P \"$BUILD/tradepost-index\" --config \"$STATE/tradepost.toml\""
}
