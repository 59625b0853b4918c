// The section [mail], and the files of secrets that sections name.
#include "core/config_mail.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/config_section.h"
#include "core/email.h"
#include "core/host.h"

namespace tradepost::core {
namespace {

namespace fs = std::filesystem;

struct Server {
    std::string url, host;
    bool tls_at_once;
};

// smtp://HOST[:PORT] or smtps://HOST[:PORT]
std::optional<Server> parse_server(std::string_view text) {
    const bool tls = text.starts_with("smtps://");
    if (!tls && !text.starts_with("smtp://")) return {};
    const auto endpoint = parse_endpoint(text.substr(tls ? 8 : 7), tls ? 465 : 587);
    if (!endpoint) return {};
    const auto host = endpoint->host.find(':') == std::string::npos ? endpoint->host : "[" + endpoint->host + "]";
    return Server{(tls ? "smtps://" : "smtp://") + host + ":" + std::to_string(endpoint->port), endpoint->host, tls};
}

}  // namespace

fs::path secret_path(const fs::path& folder, const std::string& name) {
    std::error_code ignored;
    const char* given = std::getenv("CREDENTIALS_DIRECTORY");
    if (given && fs::exists(fs::path(given) / name, ignored)) return fs::path(given) / name;
    return folder / name;
}

std::string read_secret(const fs::path& folder, const std::string& name, const char* key) {
    const auto file = secret_path(folder, name);
    std::ifstream in(file);
    std::string secret;
    std::getline(in, secret);
    if (secret.ends_with('\r')) secret.pop_back();
    if (!in || secret.empty())
        throw ConfigError(file.string() + ": cannot be read, or its first line is empty; it is named as " + key);
    return secret;
}

void read_mail(Section s, MailConfig& mail, const fs::path& folder) {
    std::string tls, password_file;
    s.read("smtp", mail.smtp);
    s.read("from", mail.from);
    s.read("user", mail.user);
    s.read("password_file", password_file);
    s.read("tls", tls, {"required", "none"});
    s.read("tls_ca", mail.tls_ca);
    s.read("digest_hour", mail.digest_hour, 0, 23);
    s.finish();
    for (const char* key : {"from", "user", "password_file", "tls", "tls_ca", "digest_hour"})
        if (const auto* node = s.find(key); node && mail.smtp.empty()) s.fail(*node, key, "needs smtp");
    if (mail.smtp.empty()) return;

    const auto& node = *s.find("smtp");
    const auto server = parse_server(mail.smtp);
    if (!server) s.fail(node, "smtp", "must be \"smtp://HOST\", \"smtps://HOST\", or one of them with a port");
    const bool near = is_this_host(server->host);
    mail.smtp = server->url;
    mail.tls = tls.empty() ? server->tls_at_once || !near : tls == "required";
    if (!mail.tls && !near) s.fail(*s.find("tls"), "tls", "= \"none\" is for a server on this host");
    if (!mail.tls && server->tls_at_once) s.fail(*s.find("tls"), "tls", "= \"none\" is for smtp://");
    const auto* from = s.find("from");
    if (!from) s.fail(node, "from", "must be set beside smtp, as \"Name <address>\"");
    const auto mailbox = parse_mailbox(mail.from);
    if (!mailbox || !(near || is_public_email(mailbox->address)))
        mail.fault = s.fault(*from, "from", "must be one address, as \"post@your.example\" or \"Name <post@your.example>\"");
    const auto* secret = s.find("password_file");
    if (secret && mail.user.empty()) s.fail(*secret, "password_file", "needs user");
    if (!mail.user.empty() && !secret) s.fail(*s.find("user"), "user", "needs password_file");
    // Workers do not send, and may not be allowed to read it.
    if (secret) mail.password_file = secret_path(folder, password_file).string();
}

std::string mail_password(const MailConfig& mail) {
    return mail.password_file.empty() ? std::string() : read_secret({}, mail.password_file, "mail.password_file");
}

}  // namespace tradepost::core
