# nginx of the private stack: certificate, port and rendered configuration. Needs common.sh and settings.sh.

has_ipv6() { [[ -e /proc/net/if_inet6 ]] && grep -q '^00000000000000000000000000000001 ' /proc/net/if_inet6; }

# port_used PORT: whether a socket listens on the port at any address of this network namespace.
port_used() {
    local port
    printf -v port ':%04X$' "$1"
    cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v port="$port" '$4 == "0A" && $2 ~ port {found = 1} END {exit !found}'
}

chooses_port() { [[ ${PORT:-} == auto || ${PORT:-} == 0 ]]; }

die_of_port() { die "port $1 is in use; choose another with PORT="; }

# With chooses_port, keeps the stack's port when it is free, else picks one below the range that the kernel assigns to clients. Another program may
# take it before nginx does: see start_web.
choose_port() {
    local port=${PORT:-8443}
    if chooses_port; then
        port=$(cat "$STATE/port" 2>/dev/null) || port=
        while [[ ! $port ]] || port_used "$port"; do port=$((20000 + RANDOM % 12000)); done
    fi
    [[ $port =~ ^[1-9][0-9]{0,4}$ ]] && ((port <= 65535)) || die "PORT must be 1 to 65535, or auto: $port"
    port_used "$port" && die_of_port "$port"
    printf '%s\n' "$port" >"$STATE/port"
}

make_certificate() {
    local tls=$STATE/tls
    mkdir -p "$tls"
    openssl x509 -checkend 86400 -noout -in "$tls/cert.pem" >/dev/null 2>&1 && [[ -s $tls/key.pem ]] && return
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 825 -subj /CN=localhost \
        -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1' -addext 'basicConstraints=critical,CA:FALSE' \
        -keyout "$tls/key.pem" -out "$tls/cert.new" 2>"$STATE/log/openssl.log" || die "openssl failed; see $STATE/log/openssl.log"
    mv "$tls/cert.new" "$tls/cert.pem"
}

# Prints the directives by which nginx believes the client address of the trusted proxies only.
realip() {
    local proxies
    proxies=$("$BUILD/tradepostctl" --config "$STATE/tradepost.toml" config get http.trusted_proxies) || exit
    [[ $proxies ]] || return 0
    [[ $proxies =~ ^[0-9a-fA-F.:/$'\n']+$ ]] || die "[http] trusted_proxies must be addresses or networks: ${proxies//$'\n'/ }"
    printf 'set_real_ip_from %s; ' $proxies
    printf 'real_ip_header X-Forwarded-For; real_ip_recursive on;'
}

# Renders the folder nginx/ of the source to $STATE/nginx.
render_nginx() { # PORT
    local listen="listen 127.0.0.1:$1 @SSL@;" user=
    local flood="include $STATE/nginx/snippets/flood.conf;" hashing="include $STATE/nginx/snippets/hashing_limits.conf;"
    has_ipv6 && listen+=" listen [::1]:$1 @SSL@;"
    [[ ${FLOOD:-on} == off ]] && flood= hashing=
    ((EUID == 0)) && user='user root;'
    local uploads realip
    realip=$(realip) || exit
    uploads=$(get_setting uploads directory)
    [[ $uploads == /* && $uploads =~ ^[A-Za-z0-9_./@%+,:=-]+$ ]] || die "[uploads] directory must be an absolute path of plain characters: $uploads"
    mkdir -p "$uploads" 2>/dev/null || die "cannot make [uploads] directory $uploads"
    rm -rf "$STATE/nginx"
    "$ROOT/nginx/render" private "$STATE/nginx" "LISTEN=$listen" NAME=localhost "USER=$user" "FLOOD=$flood" "HASHING=$hashing" \
        "REALIP=$realip" METRICS_FROM= PROXIED= CLOSED= "BASE_URL=https://localhost:$1" "NGINX=$STATE/nginx" "EXTRA=$STATE/nginx/extra" "BUILT=$BUILD/www" "RUN=$STATE/run" "UPLOADS=${uploads%/}" "TMP=$STATE/tmp" \
        "ERROR_LOG=$STATE/log/nginx-error.log" "ACCESS_LOG=$STATE/log/access.log" \
        "TLS=ssl_certificate $STATE/tls/cert.pem; ssl_certificate_key $STATE/tls/key.pem; include $STATE/nginx/snippets/tls.conf;" || die "cannot write $STATE/nginx"
    nginx -t -q -e "$STATE/log/nginx-error.log" -c "$STATE/nginx/private.conf" 2>"$STATE/log/nginx-test.log" || {
        show_log nginx-test >&2
        die "nginx refuses its configuration"
    }
}

write_web_service() {
    write_service nginx "exec chpst -P nginx -e \"$STATE/log/nginx-error.log\" -c \"$STATE/nginx/private.conf\" -g 'daemon off;'"
    # By SIGTERM, which runit would send, nginx drops requests in progress; by SIGQUIT it finishes them.
    mkdir -p "$STATE/sv/nginx/control"
    printf '#!/bin/sh\nexec kill -QUIT "$(cat "%s/run/nginx.pid")"\n' "$STATE" >"$STATE/sv/nginx/control/t"
    chmod 700 "$STATE/sv/nginx/control/t"
}

# get PATH OPTION…: requests a path of this stack, and of no other stack, whose certificate differs.
get() { curl --silent --max-time 5 --noproxy '*' --cacert "$STATE/tls/cert.pem" -o /dev/null "${@:2}" "https://localhost:$(cat "$STATE/port")$1"; }
api_ready() { get /readyz --fail; }

# Chooses the port and writes it into all settings.
configure() {
    choose_port
    local port
    port=$(cat "$STATE/port")
    write_settings "$port"
    render_nginx "$port"
}

bind_failures() { grep -c 'still could not bind()' "$STATE/log/nginx-error.log" 2>/dev/null || true; }

# Starts nginx, which binds the port. It starts before the services that read the port in their settings, so that another one can be chosen if
# another program has bound this one.
start_web() {
    local before until=$((SECONDS + 60))
    before=$(bind_failures)
    start_service nginx
    until get /dashboard; do  # answered by nginx itself
        if (($(bind_failures) > before)); then
            sv -w 30 down "$STATE/sv/nginx" >/dev/null 2>&1 || true
            chooses_port || die_of_port "$(cat "$STATE/port")"
            rm "$STATE/port"
            configure
            before=$(bind_failures)
            start_service nginx
        elif ((SECONDS > until)); then
            show_log nginx-error >&2
            die "nginx does not answer on port $(cat "$STATE/port")"
        fi
        sleep 0.1
    done
}
