# shellcheck shell=bash
# nginx's configuration of all instances of this host. Needs tradepost-instance's variables and functions.
#
#   /etc/nginx/conf.d/tradepost.conf              includes in-use/*.conf: what all instances share, and the servers for unknown hosts
#   /etc/nginx/sites-enabled/tradepost-NAME.conf  a link to tradepost/in-use/NAME/site.conf
#   /etc/nginx/tradepost/in-use                   a link to the generation in use
#   /etc/nginx/tradepost/generation.*/            every file, written anew for each change
#   /etc/nginx/tradepost/NAME/extra/*.conf        the administrator's own directives
#
# A change replaces the link `in-use`, so nginx reads either all files of before or all new ones, whenever this is interrupted. No file
# depends on the package: nginx starts after it was removed.

nginx_folder=/etc/nginx/tradepost
shared=/etc/nginx/conf.d/tradepost.conf

enabled() { printf '/etc/nginx/sites-enabled/tradepost-%s.conf' "$1"; } # NAME
enabled_names() {
    local link
    for link in /etc/nginx/sites-enabled/tradepost-*.conf; do
        [[ ! -L $link ]] || { link=${link##*/tradepost-} && say "${link%.conf}"; }
    done
}

# Prints the whole configuration, a directive per line, without the instances' own.
others_directives() {
    nginx -T 2>/dev/null | sed -e '/^# configuration file /!s/#.*//' -e 's/[;{}]/\n/g' | awk '
        /^# configuration file / { ours = $4 ~ "^/etc/nginx/(tradepost/|conf.d/tradepost|sites-enabled/tradepost-)" }
        !ours'
}

has_nginx() { [[ -d /etc/nginx ]] && command -v nginx >/dev/null; }

# Ends with one line when nginx could not serve an instance: call it before anything is made. The nginx of nginx.org has other settings than
# Debian's.
check_nginx() {
    local found file pattern user missing=''
    has_nginx || return 0
    if ! found=$(nginx -t -q 2>&1); then
        [[ ! -e $etc/$name.toml ]] || return 0  # this may mend it
        die "nothing was changed, as nginx cannot use its configuration as it is now: $(grep -vF '[warn]' <<<"$found" | head -n1)"
    fi
    found=$(others_directives)
    for file in conf.d/tradepost.conf "sites-enabled/tradepost-$name.conf"; do
        while read -r pattern; do
            # shellcheck disable=SC2053
            [[ $file != ${pattern#/etc/nginx/} ]] || continue 2
        done < <(awk '$1 == "include" {print $2}' <<<"$found")
        missing+="${missing:+, and }add \"include /etc/nginx/${file%%/*}/*.conf;\" to http { } in /etc/nginx/nginx.conf, with that folder"
    done
    user=$(awk '$1 == "user" {print $2; exit}' <<<"$found")
    [[ $user ]] || user=$(nginx -V 2>&1 | sed -nE 's/.*--user=([^ ]+).*/\1/p')
    [[ $user == www-data ]] || missing+="${missing:+, and }set \"user www-data;\" there and restart nginx, which runs as ${user:-nobody}"
    [[ ! $missing ]] || die "nothing was changed, as nginx cannot serve an instance yet: $missing. OPERATORS.md, \"The nginx of nginx.org\""
}

# Says where nginx serves the instance, once write_nginx() has returned.
tell_served() {
    has_nginx || return 0
    if running_systemd && systemctl is-active --quiet nginx; then say "nginx serves $(setting http.base_url)"
    else say "nginx is configured for $(setting http.base_url), and does not run: systemctl start nginx"; fi
}

# Whether no site but the instances' listens on the port. A `listen` without a port means port 80.
alone_on() { # PORT
    [[ $others ]] || return
    awk -v port="$1" '$1 == "listen" && ($2 ~ "(^|:)" port "$" || port == 80 && $2 !~ /^unix:|(^|:)[0-9]+$/) { others = 1 }
        END { exit others }' <<<"$others"
}

# Prints `maintenance` or `read-only`, if the instance was closed.
closed_by() {
    local each
    for each in maintenance read-only; do [[ ! -e $etc/$name.$each ]] || { say "$each"; return; }; done
    return 1
}

# Prints a directive for each address or network of a setting.
for_each_network() { # KEY FORMAT
    local networks
    mapfile -t networks < <(setting "http.$1")
    ((${#networks[@]})) || return 0
    [[ ${networks[*]} =~ ^[0-9a-fA-F.:/\ ]+$ ]] || die "[http] $1 must be addresses or networks: ${networks[*]}"
    # shellcheck disable=SC2059
    printf "$2" "${networks[@]}"
}

# Prints the directives for OCSP stapling, when the certificate names a responder (RFC 6960). nginx finds it by the host's name servers.
stapling() {
    local servers
    [[ $(openssl x509 -in "$etc/$name.crt" -noout -ocsp_uri) ]] || return 0
    servers=$(awk '$1 == "nameserver" && $2 !~ /%/ {print ($2 ~ /:/ ? "[" $2 "]" : $2)}' /etc/resolv.conf | tr '\n' ' ')
    printf 'ssl_stapling on;'
    [[ ! $servers ]] || printf ' resolver %s;' "${servers% }"
}

# Sets where the instance's site listens: `server` and `port` of base_url, `tls` or empty behind a proxy, and the addresses `listens` and
# `plain_listens`, such as "443", "[::]:443" or "192.0.2.10:443".
read_listens() {
    local base address proxied
    base=$(setting http.base_url) && proxied=$(setting http.behind_proxy) || return
    [[ $base =~ ^https://([^/:]+)(:([0-9]+))?$ ]] || { complain "[http] base_url must be https://HOST or https://HOST:PORT: $base"; return 1; }
    server=${BASH_REMATCH[1]} port=${BASH_REMATCH[3]:-443} base_url=$base tls=tls listens=() plain_listens=()
    [[ $proxied == false ]] || tls=
    mapfile -t listens < <(setting http.listen)
    for address in "${listens[@]}"; do
        [[ $address != *:443 || ! $tls ]] || plain_listens+=("${address%443}80")
    done
    ((${#listens[@]} == 0)) || return 0
    if [[ ! $tls ]]; then listens=(127.0.0.1:8080); return; fi
    listens=("$port") plain_listens=(80)
    [[ ! -e /proc/net/if_inet6 ]] || listens+=("[::]:$port") plain_listens+=('[::]:80')
}

# Writes the site of one instance into the new generation, and its addresses into the generation's file `listens`, as
# "KIND PORT ADDRESS NAME". KIND is tls, plain or proxy.
write_site() { # GENERATION
    local server port base_url tls listens plain_listens uploads realip metrics log address
    local folder=$nginx_folder/in-use/$name listen plain='' secure='' proxied='' closed='' http2=off
    read_listens && uploads=$(setting uploads.directory) && realip=$(for_each_network trusted_proxies 'set_real_ip_from %s; ') &&
        metrics=$(for_each_network metrics_from 'allow %s; ') || return
    realip+=${realip:+real_ip_header X-Forwarded-For; real_ip_recursive on;}
    listen=$(printf "listen %s${tls:+ @SSL@}; " "${listens[@]}")
    ((${#plain_listens[@]} == 0)) || plain=$(printf 'listen %s; ' "${plain_listens[@]}")
    if [[ $tls ]]; then
        secure="ssl_certificate $etc/$name.crt; ssl_certificate_key $etc/$name.key; include $folder/snippets/tls.conf; $(stapling)"
        http2=on
        for address in "${listens[@]}"; do alone_on "${address##*:}" || http2=beside; done
    else
        # shellcheck disable=SC2016
        proxied='set $tradepost_proxied on;'
    fi
    # shellcheck disable=SC2016
    closed=$(closed_by) && closed="set \$tradepost_closed $closed; if (\$tradepost_is_closed) { return 503; }"
    HTTP2=$http2 "$share/nginx/render" site "$1/$name" "INSTANCE=$name" "NAME=$server" "BASE_URL=$base_url" \
        "LISTEN=$listen" "LISTEN_PLAIN=$plain" "TLS=$secure" "PROXIED=$proxied" "CLOSED=$closed" "METRICS_FROM=$metrics" "REALIP=$realip" \
        "FLOOD=include $folder/snippets/flood.conf;" "HASHING=include $folder/snippets/hashing_limits.conf;" \
        "NGINX=$folder" "EXTRA=$nginx_folder/$name/extra" "BUILT=$share/www" "RUN=/run/tradepost/$name" \
        "UPLOADS=${uploads%/}" ACME=/var/lib/tradepost-acme "ACCESS_LOG=/var/log/nginx/tradepost-$name.log" || return
    [[ $plain ]] || rm "$1/$name/plain.conf"
    # nginx's default is 64 where a cache line of the processor has 64 bytes, which a name of 47 characters exceeds.
    ((${#server} <= 46)) || grep -q server_names_hash_bucket_size <<<"$others" || say 'server_names_hash_bucket_size 512;' >"$1/names.conf"
    # Lines of the log name people: only root and the group adm may read it, from its first line on.
    log=/var/log/nginx/tradepost-$name.log
    [[ -e $log ]] || install -m 640 -o www-data -g adm /dev/null "$log"
    chmod o= "$log"
    for address in "${listens[@]}"; do say "${tls:-proxy} ${address##*:} $address $name"; done >>"$1/listens"
    for address in "${plain_listens[@]}"; do say "plain ${address##*:} $address $name"; done >>"$1/listens"
}

# Writes the servers for hosts that no site has. A port that other sites use too has none, as it could take requests away from them. Where
# an instance is alone on a port, a load balancer may ask for its health without its name.
write_default_servers() { # GENERATION
    local kind port listen tls health names
    mkdir "$1/snippets" && cp "$share/nginx/snippets/"{headers,clients,tls}.conf "$1/snippets" || return
    while read -r kind port; do
        alone_on "$port" || continue
        listen=$(awk -v kind="$kind" -v port="$port" '$1 == kind && $2 == port {print $3}' "$1/listens" | sort -u)
        names=$(awk -v kind="$kind" -v port="$port" '$1 == kind && $2 == port {print $4}' "$1/listens" | sort -u)
        tls='' health=''
        # Since nginx 1.25.1 each server says whether it speaks HTTP/2.
        [[ $kind == plain ]] ||
            tls="include $nginx_folder/in-use/snippets/tls.conf; ssl_reject_handshake on; $(grep -m1 -o 'http2 on;' "$1/${names%%$'\n'*}/server.conf" || true)"
        # shellcheck disable=SC2016
        [[ $names == *$'\n'* ]] ||
            health="location ~ ^/(healthz|readyz)\$ { if (\$tradepost_is_health = 0) { return 421 '{\"error\":\"Misdirected request\"}'; } include $nginx_folder/in-use/$names/snippets/fastcgi.conf; fastcgi_pass unix:/run/tradepost/$names/api.sock; }"
        # shellcheck disable=SC2086
        sed -e "s|@LISTEN@|$(printf "listen %s${tls:+ ssl} default_server; " $listen)|" -e "s|@TLS@|$tls|" -e "s#@HEALTH@#$health#" \
            -e "s|@SHARED@|$nginx_folder/in-use/snippets|" "$share/nginx/default.conf.in" >"$1/default-$port.conf" || return
    done < <(awk '$1 != "proxy" {print $1, $2}' "$1/listens" | sort -u)
}

# Replaces a link by another one in one step.
link() { # TARGET LINK
    ln -sfn "$1" "$nginx_folder/next.link" && mv -fT "$nginx_folder/next.link" "$2"
}

# Asks nginx for the instance until it answers, for ten seconds, as a reload takes effect after its command has ended. Prints why it fails.
answers() {
    local server port base_url tls listens plain_listens address request end=$((SECONDS + 10))
    read_listens || return
    address=${listens[0]/#\*:/127.0.0.1:}
    [[ $address == *:* ]] || address=127.0.0.1:$address
    request="GET /api/v1 HTTP/1.1"$'\r\n'"Host: $server"$'\r\n'"Connection: close"$'\r\n\r'
    until { if [[ $tls ]]; then timeout 5 openssl s_client -quiet -connect "$address" -servername "$server" <<<"$request"; else
        timeout 5 bash -c 'exec 3<>"/dev/tcp/${1%:*}/${1##*:}" && echo "$2" >&3 && cat <&3' - "$address" "$request"; fi } 2>/dev/null |
        grep -qE '\{"error":"(Not found|Service unavailable)"\}'; do
        ((SECONDS < end)) || { say "nginx does not answer at $address; who listens there: $(ss -Hltnp "sport = :${address##*:}" 2>/dev/null |
            sed -nE 's/.*users:\(\("([^"]*)".*/\1/p' | sort -u | tr '\n' ' '). --listen chooses another address"; return 1; }
        sleep 0.1
    done
}

# Makes nginx use the files of now. `add` starts it, as its instance is to answer. Prints why it fails.
apply() {
    local found
    found=$(nginx -t -q 2>&1) || { grep -vF '[warn]' <<<"$found" || true; return 1; }
    [[ ! $probed || $(nginx -T 2>/dev/null) == *"# configuration file $(enabled "$probed"):"* ]] || { say "it does not include $(enabled "$probed")"; return 1; }
    [[ -d /run/systemd/system ]] || return 0
    if systemctl is-active --quiet nginx; then
        systemctl reload nginx 2>&1 || return
    elif [[ $command != add ]]; then
        return 0
    elif ! systemctl start nginx 2>/dev/null; then
        journalctl --no-pager --output cat --unit nginx --lines 20 | grep -m1 -F '[emerg]' || say 'nginx does not start: see systemctl status nginx'
        return 1
    fi
    [[ ! $probed ]] || answers
}

# Writes all files of a generation. Each step says whether it worked, since the disk may be full.
write_generation() {
    local name
    chmod 755 "$generation" && cp "$share/nginx/http.conf" "$generation" && touch "$generation/listens" || return
    for name in $({ enabled_names; say "$probed"; } | sort -u); do
        (write_site "$generation") && continue
        code=1
        [[ $name != "$probed" && -d $nginx_folder/in-use/$name ]] || return
        complain "nginx keeps the previous site of $name"
        rm -rf "${generation:?}/$name"
        cp -a "$nginx_folder/in-use/$name" "$generation" && grep " $name$" "$nginx_folder/in-use/listens" >>"$generation/listens" || return
    done
    # A power failure must leave no link to files without content.
    write_default_servers "$generation" && sync -f "$generation"
}

# Writes the sites of all instances that nginx serves already, and of those that are named: NAME answers afterwards, or all is as before.
write_nginx() { # [NAME]
    local probed=${1:-} name generation was file target code=0 said others before links=()
    has_nginx || { say "No nginx here: install it, then run tradepost-instance nginx $probed"; return; }
    mkdir -p "$nginx_folder"
    exec 9>>"$nginx_folder/.lock"
    flock 9
    others=$(others_directives) || true
    find "$nginx_folder" -maxdepth 1 -name 'generation.*' ! -name "$(readlink "$nginx_folder/in-use")" -exec rm -rf {} +
    generation=$(mktemp -d "$nginx_folder/generation.XXXXXX") || return
    if ! write_generation; then
        rm -rf "$generation"
        return 1
    fi

    before=$(for file in "$shared" /etc/nginx/sites-enabled/tradepost-*.conf; do [[ ! -L $file ]] || say "$(readlink "$file") $file"; done)
    was=$(readlink "$nginx_folder/in-use") || was=
    rm -f /etc/nginx/conf.d/tradepost-default-*.conf  # of version 1
    link "${generation##*/}" "$nginx_folder/in-use"
    if [[ ! -f $shared || -L $shared ]]; then
        printf '# tradepost-instance(8) writes this folder.\ninclude %s/in-use/*.conf;\n' "$nginx_folder" >"$nginx_folder/shared.new"
        mv -f "$nginx_folder/shared.new" "$shared"
    fi
    for name in $({ enabled_names; say "$probed"; } | sort -u); do
        [[ -e $(enabled "$name") ]] || links+=("$(enabled "$name")")
        link "$nginx_folder/in-use/$name/site.conf" "$(enabled "$name")"
    done
    name=$probed
    if ! said=$(apply); then
        ((${#links[@]} == 0)) || rm -f "${links[@]}"
        if [[ $was ]]; then link "$was" "$nginx_folder/in-use"; else rm -f "$shared" "$nginx_folder/in-use"; fi
        while read -r target file; do [[ ! $file ]] || link "$target" "$file"; done <<<"$before"
        ! systemctl is-active --quiet nginx || systemctl reload nginx || true
        die "nginx cannot use the new configuration; the previous one is in place again: $said"
    fi
    [[ ! $was ]] || rm -rf "${nginx_folder:?}/$was"
    for name in $(enabled_names); do rm -rf "${nginx_folder:?}/$name/"{site.conf,server.conf,snippets}; done  # of version 1
    exec 9>&-
    return "$code"
}
