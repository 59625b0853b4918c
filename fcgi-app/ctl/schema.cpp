// migrate, status
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include "core/text.h"
#include "ctl/commands.h"
#include "ctl/output.h"
#include "db/migrations.h"

namespace tradepost::ctl {
namespace {

// Migrates one instance. Each line begins with `prefix`.
Json migrate(Context& context, const std::string& sql, const std::string& prefix) {
    const auto migrations = db::read_migrations(migrations_directory(sql));
    Json applied = Json::array();
    const auto tell = [&](const std::string& name) {
        applied.push_back({{"name", name}});
        if (!context.json) std::cout << prefix << "applied " << name << std::endl;
    };
    db::migrate_alone(context.config().database, migrations, tell, [&](const std::string& holder) {
        std::cerr << "tradepostctl: " << prefix << "waits for " << holder << ", which migrates the schema\n";
    });
    if (!context.json && applied.empty()) std::cout << prefix << "the schema is current (" << migrations.back().number << ")\n";
    return {{"applied", applied}, {"schema", migrations.back().number}};
}

int run_migrate(Context& context, const std::string& sql) {
    const auto result = migrate(context, sql, "");
    if (context.json) print(result);
    return 0;
}

int migrate_all_instances(Context& context, const std::string& sql) {
    if (!context.config_file.empty() || !context.instance.empty())
        throw WrongUsage("--all-instances excludes --config and --instance");
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator("/etc/tradepost"))
        if (file.path().extension() == ".toml") files.push_back(file.path());
    std::sort(files.begin(), files.end());
    Json results = Json::array();
    int code = 0;
    for (const auto& file : files) {
        const std::string name = file.stem();
        Context one;
        one.config_file = file;
        one.json = context.json;
        Json result = {{"instance", name}};
        try {
            result.update(migrate(one, sql, name + ": "));
        } catch (const std::exception& error) {
            const auto line = one_line(error, file);
            result["error"] = line;
            std::cerr << "tradepostctl: " << name << ": " << line << "\n";
            code = 1;
        }
        results.push_back(std::move(result));
    }
    if (context.json) print(results);
    return code;
}

std::int64_t count(db::Connection& connection, const std::string& from) {
    return connection.query("SELECT COUNT(*) FROM " + from).at(0).integer(0);
}

Json counts(Context& context) {
    auto& c = context.connection();
    Json jobs = {{"DRAFT", 0}, {"PUBLISHED", 0}, {"CLOSED", 0}, {"ARCHIVED", 0}};
    for (const auto& row : c.query("SELECT status, COUNT(*) FROM jobs GROUP BY status")) jobs[row.text(0)] = row.integer(1);
    const auto tokens = c.query("SELECT COUNT(*) FROM api_tokens WHERE revoked_at IS NULL AND expires_at > ?", {context.now()});
    return {{"users", count(c, "users")},
            {"disabledUsers", count(c, "users WHERE disabled_at IS NOT NULL")},
            {"organisations", count(c, "organisations")},
            {"publishedOrganisations", count(c, "organisations WHERE published = 1")},
            {"activeTokens", tokens.at(0).integer(0)},
            {"jobs", jobs},
            {"events", count(c, "events")},
            {"posts", count(c, "posts")},
            {"stock", count(c, "stock_items")},
            {"enquiries", count(c, "enquiries")},
            {"uploads", count(c, "uploads")}};
}

int run_status(Context& context, const std::string& sql) {
    auto& connection = context.connection();
    const auto state = db::schema_state(connection, db::read_migrations(migrations_directory(sql)));
    Json document = {
        {"instance", context.config().instance},
        {"database", context.config().database.name},
        {"schema", {{"applied", state.applied}, {"known", state.known}, {"pending", state.pending}, {"changed", state.changed}}}};
    if (state.current()) document["counts"] = counts(context);
    if (context.json) {
        print(document);
    } else {
        std::cout << "instance   " << context.config().instance << " (" << context.config().path << ")\n"
                  << "database   " << context.config().database.name << "\n"
                  << "schema     " << state.applied << " of " << state.known << (state.current() ? ", current" : "") << "\n";
        const Json numbers = document.value("counts", Json::object());
        for (const auto& [name, value] : numbers.items()) {
            if (value.is_object()) {
                for (const auto& [status, number] : value.items())
                    std::cout << name << " " << status << " " << number.get<std::int64_t>() << "\n";
            } else {
                std::cout << name << " " << value.get<std::int64_t>() << "\n";
            }
        }
    }
    require_current(state);
    return 0;
}

}  // namespace

void require_current(const db::SchemaState& state) {
    if (!state.changed.empty())
        throw Failure("the schema is another one than this program's: " + state.changed.front() +
                      " differs: install the version that made it");
    if (!state.current()) throw Failure("the schema is not current: run tradepostctl migrate");
}

void add_schema_commands(Command app, Context& context) {
    const auto sql = std::make_shared<std::string>();
    const auto add = [&](const char* name, const char* help) {
        const auto command = app.add(name, help);
        command.option("--sql", *sql, "the folder of the numbered SQL files", "DIR");
        return command;
    };
    const auto migrate = add("migrate", "bring the database's schema up to date; while another process does, wait for it");
    const auto all = std::make_shared<bool>(false);
    migrate.flag("--all-instances", *all, "of each instance in /etc/tradepost, also after a failure of one of them");
    on(migrate, context,
       [&context, sql, all] { return *all ? migrate_all_instances(context, *sql) : run_migrate(context, *sql); });
    on(add("status", "show the state of the schema and the number of rows"), context,
       [&context, sql] { return run_status(context, *sql); });
}

}  // namespace tradepost::ctl
