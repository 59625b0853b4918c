// config check, config get
#include <charconv>
#include <iostream>
#include <map>

#include "ctl/commands.h"
#include "ctl/output.h"
#include "db/migrations.h"
#include "net/address.h"
#include "resources/tables.h"
#include "search/engines/server_configuration.h"

namespace tradepost::ctl {
namespace {

enum class Schema { unseen, not_newer, current };

// Checks the schema before a service starts, or reloads its settings. A database that is away is no reason to refuse either.
void check_schema(Context& context, Schema wanted) try {
    const auto state = db::schema_state(context.connection(), db::read_migrations(migrations_directory("")));
    if (wanted == Schema::current) require_current(state);
    db::refuse_changes(state);
} catch (const db::Unavailable& error) {
    std::cerr << "tradepostctl: " << one_line(error, context.config_path()) << "\n";
}

void check_networks(const core::Config& config, const char* key, const std::vector<std::string>& networks) try {
    (void)net::Networks(networks);
} catch (const std::invalid_argument& error) {
    throw Failure(config.path + ": " + key + ": " + error.what());
}

// ADDRESS:PORT, where ADDRESS is an IPv4 address, an IPv6 address in brackets, or * for all.
bool is_listen(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == text.npos) return false;
    auto address = text.substr(0, colon);
    const bool brackets = address.starts_with('[') && address.ends_with(']');
    if (brackets) address = address.substr(1, address.size() - 2);
    if (address != "*" && (!net::parse_address(address) || brackets != (address.find(':') != address.npos))) return false;
    const auto port = text.substr(colon + 1);
    int number = 0;
    const auto [end, failure] = std::from_chars(port.data(), port.data() + port.size(), number);
    return failure == std::errc{} && end == port.data() + port.size() && number >= 1 && number <= 65535;
}

int run_check(Context& context, Schema schema) {
    const auto& c = context.config();
    check_settings(context);
    if (schema != Schema::unseen) check_schema(context, schema);
    if (context.json)
        print({{"instance", c.instance}, {"path", c.path}, {"valid", true}});
    else if (schema == Schema::unseen)
        std::cout << c.path << ": ok\n";
    return 0;
}

int run_get(Context& context, const std::string& key) {
    const auto& c = context.config();
    const std::map<std::string, std::vector<std::string>> settings = {
        {"backup.directory", {c.backup.directory}},
        {"backup.encrypt_to", {c.backup.encrypt_to}},
        {"backup.identity", {c.backup.identity}},
        {"backup.keep", {c.backup.keep > 0 ? std::to_string(c.backup.keep) : ""}},
        {"copy.of", c.copy ? std::vector{c.copy->of} : std::vector<std::string>()},
        {"database.name", {c.database.name}},
        {"database.user", {c.database.user}},
        {"http.base_url", {c.http.base_url}},
        {"http.behind_proxy", {c.http.behind_proxy ? "true" : "false"}},
        {"http.listen", c.http.listen},
        {"http.metrics_from", c.http.metrics_from},
        {"http.trusted_proxies", c.http.trusted_proxies},
        {"search.engine", {c.search.engine}},
        {"search.socket", {c.search.socket}},
        {"uploads.directory", {c.uploads.directory}}};
    const auto found = settings.find(key);
    if (found == settings.end()) {
        std::string keys;
        for (const auto& [name, value] : settings) keys += " " + name;
        throw WrongUsage("config get knows" + keys);
    }
    if (context.json) {
        print(found->second);
    } else {
        for (const auto& value : found->second) std::cout << value << "\n";
    }
    return 0;
}

// The search server of one instance, with its files in `folder`.
int print_sphinx(Context& context, const std::string& folder) {
    const auto& search = context.config().search;
    if (!search.is_sphinx()) throw Failure("config sphinx needs search.engine = \"sphinx\"");
    std::cout << search::server_configuration(search, search::sphinx_indexes(resources::counted_tables()), folder);
    return 0;
}

}  // namespace

void check_settings(Context& context) {
    const auto& c = context.config();
    for (const auto& fault : {c.mail.fault, c.push.fault})
        if (!fault.empty()) throw Failure(fault);
    for (const auto& listen : c.http.listen)
        if (!is_listen(listen)) throw Failure(c.path + ": http.listen: " + listen + " is no ADDRESS:PORT such as 127.0.0.1:8080");
    check_networks(c, "http.metrics_from", c.http.metrics_from);
    check_networks(c, "http.trusted_proxies", c.http.trusted_proxies);
    check_networks(c, "push.allow_networks", c.push.allow_networks);
    check_networks(c, "fetch.allow_networks", c.fetch.allow_networks);
    check_networks(c, "webhooks.allow_networks", c.webhooks.allow_networks);
}

void add_config_commands(Command app, Context& context) {
    const auto config = app.add_group("config", "the configuration file");

    const auto schema = std::make_shared<bool>(), at_start = std::make_shared<bool>();
    const auto check = config.add("check", "read the configuration and name each fault");
    check.flag("--schema", *schema,
               "also fail when the database's schema is not the one of this program; print nothing on success");
    check.flag("--at-start", *at_start,
               "as a service does before it starts: also fail when the database's schema is newer than this program's; print "
               "nothing on success");
    on(check, context, [&context, schema, at_start] {
        return run_check(context, *schema ? Schema::current : *at_start ? Schema::not_newer : Schema::unseen);
    });

    const auto key = std::make_shared<std::string>();
    const auto get =
        config.add("get", "print a setting for other programs, such as http.base_url; a list has one value per line");
    get.required("KEY", *key, "SECTION.KEY");
    on(get, context, [&context, key] { return run_get(context, *key); });

    const auto folder = std::make_shared<std::string>();
    const auto sphinx = config.add("sphinx", "print the configuration of the search server, with the indexes of this release");
    sphinx.required("FOLDER", *folder, "of its files; they are in FOLDER/data");
    on(sphinx, context, [&context, folder] { return print_sphinx(context, *folder); });
}

}  // namespace tradepost::ctl
