# tradepost.toml of a stack: written once and then the user's. Later starts change only the port and what SETTINGS names.
# Needs database.sh.

# get_setting SECTION KEY: prints the value without its quotes.
get_setting() {
    awk -v section="[$1]" -v key="$2" '
        /^[ \t]*\[/ { inside = ($1 == section) }
        inside && $1 == key && $2 == "=" { sub(/^[^=]*=[ \t]*/, ""); gsub(/^"|"$/, ""); print; exit }' "$STATE/tradepost.toml"
}

# set_setting SECTION KEY VALUE (as TOML): replaces the line; adds a missing one to its section, and a missing section to the file.
set_setting() {
    local file=$STATE/tradepost.toml
    section="[$1]" key=$2 value=$3 awk '
        function add() { if (inside && !done) { print ENVIRON["key"] " = " ENVIRON["value"]; done = 1 } }
        /^[ \t]*\[/ { add(); inside = ($1 == ENVIRON["section"]) }
        inside && $1 == ENVIRON["key"] && $2 == "=" { if (!done) print ENVIRON["key"] " = " ENVIRON["value"]; done = 1; next }
        inside && /^[ \t]*$/ { add() }
        { print }
        END { add(); if (!done) print "\n" ENVIRON["section"] "\n" ENVIRON["key"] " = " ENVIRON["value"] }' "$file" >"$file.new"
    cmp -s "$file" "$file.new" && rm "$file.new" || mv "$file.new" "$file"
}

write_settings() { # PORT
    if [[ ! -s $STATE/tradepost.toml ]]; then
        cat >"$STATE/tradepost.toml.new" <<TOML
# Written once by the private stack; edit it as you like. tradepost.toml.example describes every setting.

[database]
socket = "$SOCKET"
name = "tradepost"
user = "tradepost"
password = "$(openssl rand -hex 24)"

[http]
base_url = "https://localhost:$1"

[uploads]
directory = "$STATE/uploads"

[rate_limits]
file = "$STATE/run/limits"
TOML
        mv "$STATE/tradepost.toml.new" "$STATE/tradepost.toml"
    fi
    # A user who set another host name keeps it.
    [[ $(get_setting http base_url) =~ ^https://localhost(:[0-9]+)?$ ]] && set_setting http base_url "\"https://localhost:$1\""
    local line
    while IFS= read -r line; do
        [[ $line =~ ^[[:space:]]*(#|$) ]] && continue
        [[ $line =~ ^[[:space:]]*([a-z_]+)\.([a-z0-9_]+)[[:space:]]*=[[:space:]]*(.+)$ ]] ||
            die "SETTINGS needs lines of the form section.key = value: $line"
        set_setting "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}"
    done <<<"${SETTINGS:-}"
    return 0
}
