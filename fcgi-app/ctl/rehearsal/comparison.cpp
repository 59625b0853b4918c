// rehearsal compare: whether the workers of two versions answer alike.
#include <algorithm>
#include <fstream>
#include <iostream>

#include "ctl/commands.h"
#include "ctl/rehearsal/rehearsal.h"
#include "resources/routes.h"
#include "resources/tables.h"

namespace tradepost::ctl {
namespace {

// They say what the requests of the rehearsal were, and when.
bool tells_of_requests(const std::string& path) {
    return path.starts_with("/api/v1/accounts/failures") || path.starts_with("/api/v1/accounts/examination");
}

void take_out_last_use(Json& value) {
    if (value.is_object()) value.erase("lastUsedAt");
    if (value.is_structured())
        for (auto& each : value) take_out_last_use(each);
}

bool may_not(const RehearsedAnswer& answer) {
    return answer.status == 401 || answer.status == 403 || answer.status == 404;
}

}  // namespace

std::string difference(const std::string& path, const RehearsedAnswer& old, const RehearsedAnswer& fresh) {
    const auto status = [](const RehearsedAnswer& answer) {
        return answer.status ? std::to_string(answer.status) : answer.failure;
    };
    if (old.status != fresh.status) return "status " + status(old) + ", in the new version " + status(fresh);
    if (old.type != fresh.type) return "Content-Type " + old.type + ", in the new version " + fresh.type;
    if (old.body == fresh.body || tells_of_requests(path)) return "";
    auto before = Json::parse(old.body, nullptr, false), after = Json::parse(fresh.body, nullptr, false);
    if (before.is_discarded() && after.is_discarded()) return "status " + status(old) + ", other bytes";
    if (after.is_discarded()) return "status " + status(old) + ", the new version's body is not well-formed";
    take_out_last_use(before);
    take_out_last_use(after);
    const auto found = Json::diff(before, after);
    if (found.empty()) return "";
    const auto operation = found[0]["op"].get<std::string>(), pointer = found[0]["path"].get<std::string>();
    return "status " + status(old) + ", " + (pointer.empty() ? "the whole body" : pointer) +
           (operation == "add"      ? " is in the new version only"
            : operation == "remove" ? " is not in the new version"
                                    : " has another value in the new version");
}

std::vector<std::string> fixed_paths(Context& context) {
    constexpr std::size_t documents = 5;
    std::vector<std::string> paths;
    for (const auto& route : routes()) {
        const std::string path(route.path);
        if (route.method == "GET" && path.starts_with("/api/v1/") && path.find('{') == path.npos) paths.push_back(path);
    }
    for (const auto& table : resources::tables()) {
        const auto name = std::string(table.table) == "stock_items" ? "stock" : std::string(table.table);
        for (const auto& row :
             context.connection().query("SELECT id FROM " + std::string(table.table) + " ORDER BY id DESC LIMIT ?", {documents}))
            paths.push_back(("/api/v1/" + name + "/").append(row.uuid(0).to_string()));
    }
    return paths;
}

int compare_answers(RehearsalClient& old, RehearsalClient& fresh, const std::vector<std::string>& paths,
                    const std::vector<Reader>& readers) {
    std::size_t count = 0, different = 0;
    // Twice, as time may pass between two answers.
    const auto compare = [&](const std::string& path, const Reader& reader, const RehearsedAnswer& first) {
        ++count;
        auto found = difference(path, first, fresh.get(path, reader.token));
        if (!found.empty()) found = difference(path, old.get(path, reader.token), fresh.get(path, reader.token));
        if (found.empty() || ++different > most_told) return;
        std::cout << "DIFFERS GET " << printable(path) << " (" << reader.who << "): " << found << "\n";
    };
    const Reader everybody{"public", ""};
    for (const auto& path : paths) {
        if (const auto answer = old.get(path); answer.status != 401) compare(path, everybody, answer);
        for (const auto& reader : readers) {
            const auto answer = old.get(path, reader.token);
            if (may_not(answer) && &reader != &readers.back()) continue;
            compare(path, reader, answer);
            break;
        }
    }
    if (different == 0)
        std::cout << count << " requests answered alike\n";
    else
        std::cout << different << " of " << count << " requests answered differently\n";
    return different == 0 ? 0 : 1;
}

namespace {

struct RehearsalOptions {
    std::string at, beside, readers, paths;
    std::size_t sample = 50;
};

int compare(Context& context, const RehearsalOptions& options) {
    auto paths = fixed_paths(context);
    if (!options.paths.empty()) {
        std::ifstream file(options.paths);
        if (!file) throw Failure(options.paths + " cannot be read");
        for (std::string line; std::getline(file, line);)
            if (std::find(paths.begin(), paths.end(), line) == paths.end()) paths.push_back(line);
    }
    const auto& url = context.config().http.base_url;
    RehearsalClient old(url, options.at), fresh(url, options.beside);
    old.await_ready();
    fresh.await_ready();
    return compare_answers(old, fresh, paths, read_readers(options.readers));
}

}  // namespace

void add_rehearsal_commands(Command app, Context& context) {
    const auto options = std::make_shared<RehearsalOptions>();
    const auto rehearsal = app.add_group(
        "rehearsal",
        "what tradepost-instance rehearse asks its throw-away instance; creates tokens, so never use it for another one");
    const auto documents = rehearsal.add("documents", "check a sample of documents, and the files of their pictures");
    documents.number("--sample", options->sample, 1, 100000);
    documents.required("--at", options->at, "where nginx listens", "ADDRESS:PORT");
    documents.required("--readers", options->readers, "the file that gets the tokens", "FILE");
    on(documents, context, [&context, options] {
        RehearsalClient client(context.config().http.base_url, options->at);
        client.await_ready();
        const auto readers = make_readers(context);
        write_readers(readers, options->readers);
        return check_documents(context, client, readers, options->sample);
    });
    const auto comparing =
        rehearsal.add("compare", "send requests to two versions, and print the first differences of their answers");
    comparing.required("--at", options->at, "where the old version's nginx listens", "ADDRESS:PORT");
    comparing.required("--beside", options->beside, "where the new version's nginx listens", "ADDRESS:PORT");
    comparing.required("--readers", options->readers, "the file of tokens", "FILE");
    comparing.option("--paths", options->paths, "a file of further paths, one a line", "FILE");
    on(comparing, context, [&context, options] { return compare(context, *options); });
}

}  // namespace tradepost::ctl
