// doctor: nginx, and what of requests reaches the pools behind it.
#include <arpa/inet.h>
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "core/crypto.h"
#include "ctl/doctor/doctor.h"
#include "http/error.h"
#include "identity/diagnosis_pass.h"
#include "json/parse.h"
#include "limits/limiter.h"

namespace tradepost::ctl {
namespace {

// RFC 5737: nobody's.
constexpr const char* forged_address = "192.0.2.66";

// One slow search of so many is worth a word.
constexpr std::int64_t slow_share = 20;

class WebChecks {
public:
    WebChecks(Context& context, WebClient& client, const std::string& sockets, const std::string& key, Report& report)
        : context_(context), client_(client), sockets_(sockets), key_(key), report_(report) {}

    bool pool(const std::string& name);  // whether the uploads pool checked the configured store
    void refusals(const std::string& pool, const json::Json& data);
    void authorization();
    void addresses();
    void searches();

private:
    WebAnswer ask(const std::string& pool, const std::vector<std::string>& headers = {}) {
        return client_.get("/api/v1/diagnosis/" + pool + "/" + identity::make_pass(key_, context_.now()), headers);
    }
    std::string why_not(const std::string& pool, const std::string& socket, const WebAnswer& answer) const;

    Context& context_;
    WebClient& client_;
    const std::string &sockets_, &key_;
    Report& report_;
};

// An empty object when there is none.
json::Json data_of(const WebAnswer& answer) try {
    const auto document = json::parse(answer.body);
    return answer.status == 200 && document.is_object() ? document.value("data", json::Json::object()) : json::Json::object();
} catch (const http::ApiError&) {
    return json::Json::object();
}

std::string text(const json::Json& data, const char* name) {
    return data.contains(name) && data[name].is_string() ? data[name].get<std::string>() : "";
}

std::string owner_and_mode(const struct stat& info) {
    const passwd* user = getpwuid(info.st_uid);
    const group* members = getgrgid(info.st_gid);
    char mode[8];
    (void)std::snprintf(mode, sizeof mode, "%04o", unsigned(info.st_mode & 07777));
    return (user ? user->pw_name : std::to_string(info.st_uid)) + ":" +
           (members ? members->gr_name : std::to_string(info.st_gid)) + ", mode " + mode;
}

// 0, or why nobody can be reached there.
int connect_to(const std::string& socket) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket.size() >= sizeof address.sun_path) return ENAMETOOLONG;
    socket.copy(address.sun_path, socket.size());
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return errno;
    const int error = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
    close(fd);
    return error;
}

// Whether `address` is one of the addresses or networks of [http] trusted_proxies.
bool is_trusted(const std::vector<std::string>& networks, const std::string& address) {
    for (const auto& network : networks) {
        const auto slash = network.find('/');
        unsigned char own[16] = {}, their[16] = {};
        const int family = address.find(':') == std::string::npos ? AF_INET : AF_INET6;
        if (inet_pton(family, address.c_str(), own) != 1 || inet_pton(family, network.substr(0, slash).c_str(), their) != 1)
            continue;
        const unsigned longest = family == AF_INET ? 32 : 128;
        unsigned bits = longest;
        if (slash != std::string::npos) std::from_chars(network.data() + slash + 1, network.data() + network.size(), bits);
        bits = std::min(bits, longest);
        unsigned same = 0;
        while (same < bits && ((own[same / 8] ^ their[same / 8]) >> (7 - same % 8) & 1) == 0) ++same;
        if (same == bits) return true;
    }
    return false;
}

std::string WebChecks::why_not(const std::string& pool, const std::string& socket, const WebAnswer& answer) const {
    struct stat info {};
    if (lstat(socket.c_str(), &info) != 0)
        return std::string(std::strerror(errno)) + ": start the " + pool + " pool, or name their folder with --sockets";
    if (!S_ISSOCK(info.st_mode)) return "it is no socket: remove it, and start the " + pool + " pool";
    const int error = connect_to(socket);
    if (error == ECONNREFUSED) return "nobody listens there: start the " + pool + " pool";
    if (error != 0 && error != EAGAIN && error != EACCES)
        return std::string(std::strerror(error)) + ": start the " + pool + " pool again";
    if (answer.status == 502)
        return "nginx may not connect to it: it belongs to " + owner_and_mode(info) +
               ": give it nginx's group and mode 0660 (SocketGroup= and SocketMode= of its unit)";
    if (answer.status == 0) return answer.failure;
    if (answer.status == 404)
        return "those who answer there are not this instance's workers of this version: correct --url, or restart the pools";
    return "its workers answered " + std::to_string(answer.status) + ": see their log for that request";
}

bool WebChecks::pool(const std::string& name) {
    const auto socket = sockets_ + "/" + name + ".sock";
    const auto answer = ask(name);
    const auto data = data_of(answer);
    const auto answered = text(data, "pool");
    if (!report_.check(answer.status == 200, "socket " + socket, why_not(name, socket, answer))) return false;
    if (!report_.check(answered == name, name + " pool serves what is its own",
                       "nginx asks the " + answered + " pool instead: render its configuration again and reload it"))
        return false;
    refusals(name, data);
    if (name != "uploads") return false;
    // The workers keep the configuration that they read when they started.
    const auto& configured = context_.config().uploads.directory;
    const auto used = text(data, "storeDirectory");
    if (used != configured)
        return report_.check(false, "uploads pool stores in " + configured,
                             "its workers use " + used +
                                 ": render nginx's configuration again and restart the pools, or correct [uploads] directory");
    const auto faults = data.value("storeFaults", json::Json::array());
    for (const auto& fault : faults) report_.check(false, "uploads", fault.get<std::string>());
    if (faults.empty()) report_.check(true, "uploads can be stored in " + configured, "");
    return true;
}

// Requests that no fault of their callers made the pool refuse.
void WebChecks::refusals(const std::string& pool, const json::Json& data) {
    constexpr std::chrono::hours recent{1};
    const auto refusals = data.value("lastRefusals", json::Json::object());
    for (const auto& [cost, last] : refusals.items()) {
        const core::Time at{std::chrono::seconds(last.get<std::int64_t>())};
        if (context_.now() - at > recent) continue;
        report_.warn(pool + " pool has workers for all requests",
                     "it refused one of cost " + cost + " at " + core::to_rfc3339(at) +
                         ": if that happens often, raise WORKERS of the pool" +
                         (cost == "search" ? ", or " + std::string(advise_sphinx) : "") +
                         " (OPERATORS.md, \"Shares of workers\")");
    }
}

void WebChecks::authorization() {
    const auto value = "Bearer " + core::to_hex(core::random_bytes(32));
    const auto answer = ask("api", {"Authorization: " + value});
    if (answer.status != 200) return;  // the socket's check has told
    const auto arrived = text(data_of(answer), "authorization");
    report_.check(arrived == core::to_hex(core::sha256(value)), "Authorization reaches the workers",
                  std::string(arrived.empty() ? "it is lost" : "it is changed") +
                      " on the way: look for HTTP_AUTHORIZATION in nginx's configuration, and at the proxies before it");
}

void WebChecks::addresses() {
    const auto answer = ask("api");
    if (answer.status != 200) return;
    const auto& own = answer.own_address;
    const auto seen = text(data_of(answer), "clientAddress");
    report_.check(limits::address_key(seen) == limits::address_key(own), "clients' addresses reach the workers",
                  "this host asked from " + own + " and they saw " + seen +
                      ": name the proxy in between in [http] trusted_proxies, and render nginx's configuration again");
    if (is_trusted(context_.config().http.trusted_proxies, own)) return;  // such a one may say so
    const auto forged = ask("api", {std::string("X-Forwarded-For: ") + forged_address});
    if (forged.status != 200) return;
    report_.check(text(data_of(forged), "clientAddress") != forged_address, "nobody can forge an address",
                  "X-Forwarded-For of " + own +
                      " was believed: set_real_ip_from must name your proxies only, and they must add to that header");
}

// Of the searches since the start of the host.
void WebChecks::searches() {
    const auto data = data_of(ask("api"));
    if (!data.contains("searches") || context_.config().search.is_sphinx()) return;
    const auto all = data["searches"].value("all", std::int64_t(0)), slow = data["searches"].value("slow", std::int64_t(0));
    if (slow * slow_share > all)
        report_.warn("searches by the database are slow",
                     std::to_string(slow) + " of " + std::to_string(all) + " searches took more than 500 ms: " + advise_sphinx);
}

// False when the server is another one, of which nothing more is asked.
bool check_certificate(Context& context, WebClient& client, const std::string& url, Report& report) {
    if (!url.starts_with("https://")) return true;
    const auto found = client.look_at_certificate();
    if (!found.failure.empty()) return true;  // which the next request meets, too
    const auto what = "certificate of " + url;
    if (!found.has_name)
        return report.check(
            false, what,
            "it is for another host: put one for this host there (OPERATORS.md, \"Installation\"), or end the other web "
            "server that answers at this address");
    const auto day = [](core::Time time) { return core::to_rfc3339(time).substr(0, 10); };
    const std::string renew = "renew it, as with certbot renew, and run systemctl reload nginx";
    client.accept_certificate();
    if (found.ends) {
        const auto left = std::chrono::duration_cast<std::chrono::seconds>(*found.ends - context.now());
        report.figure("certificate=" + std::to_string(left.count()) + "s;" +
                      std::to_string(std::chrono::seconds(certificate_ends_soon).count()) + ":;0:");
    }
    if (found.begins && *found.begins > context.now()) {
        report.check(false, what,
                     "it begins on " + day(*found.begins) + ": correct the clock of this host, or take another certificate");
    } else {
        if (found.ends)
            check_certificate_end(what, *found.ends, context.now(), renew, report);
        else
            report.check(true, what, "");
        if (!found.distrust.empty() && (!found.ends || *found.ends > context.now()))
            report.warn(
                what + " is not trusted: " + found.distrust,
                "for tests that will do; else take one that a CA has issued, with its chain (OPERATORS.md, \"Installation\"), or "
                "name the file of your CA with --cacert");
    }
    return true;
}

void check_size(WebClient& client, Report& report, const std::string& method, const std::string& path, std::uint64_t mebibytes,
                const char* what) {
    const auto answer = client.announce(method, path, mebibytes << 20);
    const auto size = std::to_string(mebibytes);
    // What else may be wrong with such a request, as no ticket is so called, is told after its size.
    report.check(answer.wanted_body || (answer.status != 0 && answer.status != 413), size + " MiB may be sent " + what,
                 answer.status == 0 ? answer.failure
                                    : "refused with " + std::to_string(answer.status) +
                                          ": nginx, and each proxy before it, needs client_max_body_size " + size + "m there");
}

}  // namespace

bool check_web(Context& context, WebClient& client, const std::string& url, const std::string& sockets,
               const std::optional<std::string>& key, Report& report) {
    if (!check_certificate(context, client, url, report)) return false;
    const auto answer = client.get("/healthz");
    // What nginx says when a pool is away is told of that pool.
    const bool answers = answer.status == 200 || answer.status >= 500;
    if (!report.check(answers, "nginx answers at " + url,
                      answer.status
                          ? "it says " + std::to_string(answer.status) + " to /healthz: correct [http] base_url, or nginx's site"
                          : answer.failure))
        return false;
    bool store_checked = false;
    if (key) {
        WebChecks checks(context, client, sockets, *key, report);
        for (const auto* name : {"api", "auth", "uploads"}) store_checked = checks.pool(name) || store_checked;
        checks.authorization();
        checks.addresses();
        checks.searches();
    }
    check_size(client, report, "POST", "/api/v1/uploads", 12, "to /api/v1/uploads");
    check_size(client, report, "PUT", "/upload/" + std::string(64, 'A'), 50, "with a ticket");
    return store_checked;
}

}  // namespace tradepost::ctl
