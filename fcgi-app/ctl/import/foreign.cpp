#include "ctl/import/foreign.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "ctl/limits.h"
#include "ctl/password.h"
#include "db/foreign.h"

namespace tradepost::ctl {
namespace {

struct Options {
    std::string dsn, password_file, tls_ca, map, organisation;
    bool dry_run = false;
};

constexpr const char* dsn_form = "--dsn: must be mysql://USER@HOST:PORT/DATABASE, or mysql://USER@localhost/DATABASE?socket=FILE";

// What the database of --dsn says, which is not that of the configuration. `place`: of the query, or empty while it is connected to.
Failure explained(const db::Error& error, const std::string& place) {
    const std::string reason = error.what();
    if (!place.empty()) return Failure(place + " query: " + reason);
    switch (error.code) {
        case 1045:
        case 1698:
            return Failure("the database of --dsn refuses the sign-in: correct its user, or the password: " + reason);
        case 2026:
            return Failure(
                "the connection to the database of --dsn cannot be encrypted: let --tls-ca name the CA of its certificate: " +
                reason);
        case 1044:
        case 1049:
        case 1142:
            return Failure("the database of --dsn is not there, or its user may not read it: " + reason);
        default:
            break;
    }
    if (dynamic_cast<const db::Unavailable*>(&error)) return Failure("the database of --dsn cannot be reached: " + reason);
    return Failure("the database of --dsn failed: " + reason);
}

// The mapping that is named; else the one beside the migrations in the package's share folder, or in the source tree.
std::string map_file(const std::string& program, const std::string& named) {
    if (!named.empty()) return named;
    const auto folder = std::filesystem::path(migrations_directory("")).parent_path();
    for (const auto* place : {"import", "fcgi-app/ctl/import/maps"})
        if (const auto path = folder / place / (program + ".toml"); std::filesystem::exists(path)) return path;
    throw Failure("the mapping " + program + ".toml is not installed: name a file with --map");
}

// A kind with the lines that were read for it.
struct Reading {
    const ImportKind* kind;
    std::unique_ptr<Lines> lines;
};

std::unique_ptr<Lines> read_rows(db::ForeignDatabase& database, const Mapping& mapping) {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    const auto write = [&](const std::string& text) {
        if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size())
            throw Failure("the temporary copy of the rows cannot be written: make room in /tmp");
    };
    std::optional<RowLines> rows;
    try {
        database.each(
            mapping.query, [&](const auto& columns) { rows.emplace(mapping, columns); },
            [&](const auto& cells) { write(rows->line(cells) + "\n"); });
    } catch (const db::Error& error) {
        throw explained(error, mapping.place);
    }
    write("");
    return std::make_unique<Lines>(mapping.place, file.release(), rows->take_keys());
}

std::vector<Reading> read_all(const std::vector<Mapping>& mappings, const core::Config::Database& where,
                              const std::string& organisation) {
    std::vector<Reading> all;
    try {
        db::ForeignDatabase database(where);
        if (!organisation.empty()) database.set("organisation", organisation);
        for (const auto& mapping : mappings) all.push_back({mapping.kind, read_rows(database, mapping)});
    } catch (const db::Error& error) {
        throw explained(error, "");
    }
    return all;
}

int run(Context& context, const std::string& program, const Options& options) {
    auto where = read_dsn(options.dsn);
    const auto mappings = read_mappings(map_file(program, options.map));
    for (const auto& mapping : mappings)
        if (options.organisation.empty() && mapping.query.find("@organisation") != std::string::npos)
            throw WrongUsage("--organisation: name the organisation that " + mapping.place + " means by @organisation");
    if (!options.organisation.empty()) context.organisation(options.organisation);
    where.password = read_secret(options.password_file, "Password of the database: ");
    where.tls_ca = options.tls_ca;
    const auto readings = read_all(mappings, where, options.organisation);

    Json document = Json::object();
    const auto import = [&](const Reading& reading, bool dry_run) {
        return reading.kind->run(context.connection(), *reading.lines, context.clock, {context.config().auth, dry_run, true});
    };
    // All of them before the first one is written.
    const Reading* faulty = nullptr;
    Faults faults;
    for (const auto& reading : readings) {
        const std::string kind(reading.kind->name);
        const auto planned = import(reading, true);
        const bool has_faults = planned.faults.count() > 0;
        if (has_faults && !faulty) faulty = &reading, faults = planned.faults;
        if (context.json)
            document[kind] = import_document(planned, planned.faults, options.dry_run, *reading.lines);
        else if (options.dry_run || has_faults)
            print_dry_run(kind, planned, *reading.lines);
        reading.lines->rewind("checking");
    }
    if (context.json && (options.dry_run || faulty)) print(document);
    if (options.dry_run) return faulty ? 1 : 0;
    if (faulty) faults.raise(*faulty->lines);

    for (const auto& reading : readings) {
        const std::string kind(reading.kind->name);
        const auto result = import(reading, false);
        if (context.json)
            document[kind] = import_document(result, {}, false, *reading.lines);
        else
            print_imported(kind, result);
        tell_of_limits(context, kind);
    }
    if (context.json) print(document);
    return 0;
}

}  // namespace

core::Config::Database read_dsn(const std::string& dsn) {
    constexpr std::string_view scheme = "mysql://", socket = "?socket=";
    std::string rest = dsn.starts_with(scheme) ? dsn.substr(scheme.size()) : "";
    const auto at = rest.rfind('@');
    if (at == std::string::npos || at == 0) throw WrongUsage(dsn_form);
    core::Config::Database where;
    where.user = rest.substr(0, at);
    rest.erase(0, at + 1);
    if (where.user.find(':') != std::string::npos)
        throw WrongUsage("--dsn: must not hold a password, which other users of this host would see: use --password-file");
    if (const auto query = rest.find('?'); query != std::string::npos) {
        if (!rest.substr(query).starts_with(socket)) throw WrongUsage(dsn_form);
        where.socket = rest.substr(query + socket.size());
        rest.erase(query);
    }
    const auto slash = rest.find('/');
    if (slash == std::string::npos || slash + 1 == rest.size()) throw WrongUsage(dsn_form);
    where.name = rest.substr(slash + 1);
    where.host = rest.substr(0, slash);
    if (const auto colon = where.host.rfind(':'); colon != std::string::npos && !where.host.ends_with(']')) {
        const auto port = where.host.substr(colon + 1);
        const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), where.port);
        if (error != std::errc() || end != port.data() + port.size() || where.port == 0) throw WrongUsage(dsn_form);
        where.host.erase(colon);
    }
    if (where.host.starts_with('[') && where.host.ends_with(']')) where.host = where.host.substr(1, where.host.size() - 2);
    if (where.host.empty()) throw WrongUsage(dsn_form);
    return where;
}

void add_foreign_commands(Command import_group, Context& context) {
    for (const std::string program : {"laravel", "wordpress"}) {
        const auto options = std::make_shared<Options>();
        const auto command =
            import_group.add(program, "import the rows that queries find in the database of " +
                                          std::string(program == "laravel" ? "a Laravel application" : "WordPress") +
                                          ", all kinds or none with a fault");
        command.required("--dsn", options->dsn, "mysql://USER@HOST:PORT/DATABASE, or mysql://USER@localhost/DATABASE?socket=FILE",
                         "DSN");
        command.option(
            "--password-file", options->password_file,
            "the file with the password of that user in its first line; - is standard input, and without it a terminal "
            "is asked",
            "FILE");
        command.option("--tls-ca", options->tls_ca, "the CA of that server's certificate", "FILE");
        command.option("--map", options->map, "the mapping file instead of the installed " + program + ".toml", "FILE");
        command.option("--organisation", options->organisation, "the organisation that @organisation in the queries means",
                       "SLUG");
        command.flag("--dry-run", options->dry_run, "write nothing; list the first 100 faults, and how many rows would change");
        on(command, context, [&context, options, program] { return run(context, program, *options); });
    }
}

}  // namespace tradepost::ctl
