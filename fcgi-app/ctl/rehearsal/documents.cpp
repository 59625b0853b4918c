// rehearsal documents: whether the restored instance answers for its documents, and has the files of their pictures.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "ctl/doctor/doctor.h"
#include "ctl/rehearsal/rehearsal.h"
#include "files/store.h"
#include "identity/tokens/tokens.h"
#include "resources/uploads/upload.h"

namespace tradepost::ctl {
namespace {

struct Kind {
    const char* table;
    const char* path;
    const char* name;
};
constexpr Kind kinds[] = {{"stock_items", "/api/v1/stock", "stock items"},
                          {"jobs", "/api/v1/jobs", "jobs"},
                          {"events", "/api/v1/events", "events"},
                          {"posts", "/api/v1/posts", "posts"},
                          {"enquiries", "/api/v1/enquiries", "enquiries"}};

Json parse(const std::string& body) {
    return Json::parse(body, nullptr, false);
}

// Why it is no good answer about the document; empty when it is one.
std::string fault(const RehearsedAnswer& answer, const std::string& id) {
    if (answer.status != 200) return answer.status ? "status " + std::to_string(answer.status) : answer.failure;
    const auto body = parse(answer.body);
    if (!body.is_object() || !body.contains("data") || !body["data"].is_object()) return "the answer is not well-formed";
    return id.empty() || body["data"].value("id", "") == id ? "" : "the answer is about another document";
}

// Collects the faults of one kind, and tells of the first.
class Checked {
public:
    Checked(Report& report, std::string what) : report_(report), what_(std::move(what)) {}
    void add(const std::string& which, const std::string& why) {
        ++count_;
        if (why.empty() || ++faults_ > most_told) return;
        report_.check(false, which, why);
    }
    void finish() {
        if (faults_ == 0)
            report_.check(true, std::to_string(count_) + " " + what_, "");
        else
            report_.check(false, std::to_string(faults_) + " of " + std::to_string(count_) + " " + what_, "see above");
    }

private:
    Report& report_;
    std::string what_;
    std::size_t count_ = 0, faults_ = 0;
};

struct Picture {
    std::string hash, type;
    std::uint64_t size;
};

std::string fault(const Picture& picture, const files::Store& store, RehearsalClient& client) {
    const auto url = uploads::upload_url(picture.hash, picture.type);
    struct stat info {};
    if (stat(store.path(url).c_str(), &info) != 0) return "the file is missing";
    if (std::uint64_t(info.st_size) != picture.size)
        return "the file has " + std::to_string(info.st_size) + " bytes, and the database says " + std::to_string(picture.size);
    if (files::hash_file(store.path(url)) != picture.hash) return "the file's bytes are damaged: they have another digest";
    const auto answer = client.get(url);
    if (answer.status != 200 || answer.type != picture.type || answer.body.size() != picture.size)
        return "status " + std::to_string(answer.status) + ", type " + answer.type + ", " + std::to_string(answer.body.size()) +
               " bytes";
    if (const auto thumbnail = uploads::thumbnail_url(picture.hash, picture.type))
        if (const auto small = client.get(*thumbnail); small.status != 200 || small.body.empty())
            return "status " + std::to_string(small.status) + " for its thumbnail";
    return "";
}

void check_pictures(db::Connection& connection, const std::string& directory, const std::vector<std::string>& stock,
                    std::size_t sample, RehearsalClient& client, Report& report) {
    const files::Store store(directory);
    const std::string columns = "SELECT u.content_hash, u.content_type, u.size FROM uploads u ";
    std::vector<db::Row> rows = connection.query(columns + "WHERE u.status = 'READY' ORDER BY RAND() LIMIT ?", {sample});
    for (const auto& id : stock) {
        const auto uuid = core::Uuid::parse(id).value();
        for (const std::string table : {"stock_images", "stock_documents"})
            for (auto& row : connection.query(
                     columns + "JOIN " + table + " a ON a.upload_id = u.id WHERE a.stock_id = ? AND u.status = 'READY'", {uuid}))
                rows.push_back(std::move(row));
    }
    Checked checked(report, "pictures and documents of uploads have the size, type and digest that the database says");
    std::set<std::string> seen;
    for (const auto& row : rows) {
        const Picture picture{row.text(0), row.text(1), row.unsigned_integer(2)};
        if (seen.insert(picture.hash + picture.type).second)
            checked.add("upload " + uploads::upload_url(picture.hash, picture.type), fault(picture, store, client));
    }
    checked.finish();
}

}  // namespace

std::vector<Reader> make_readers(Context& context) {
    constexpr std::size_t most = 10;
    auto& connection = context.connection();
    std::vector<Reader> readers;
    for (const auto& row : connection.query(
             "SELECT o.slug, m.role, MIN(m.user_id) FROM organisations o JOIN memberships m ON m.organisation_id = o.id "
             "JOIN users u ON u.id = m.user_id WHERE u.disabled_at IS NULL GROUP BY o.id, o.slug, m.role "
             "ORDER BY (SELECT COUNT(*) FROM stock_items s WHERE s.organisation_id = o.id) DESC, o.slug, m.role LIMIT ?",
             {most})) {
        const auto minted = identity::Tokens(connection).mint(row.uuid(2), "rehearsal", context.clock);
        if (minted) readers.push_back({row.text(0) + " " + row.text(1), minted->plain});
    }
    return readers;
}

void write_readers(const std::vector<Reader>& readers, const std::string& path) {
    (void)umask(077);
    std::ofstream file(path);
    for (const auto& reader : readers) file << reader.token << " " << reader.who << "\n";
    if (!file.flush()) throw Failure(path + " cannot be written");
}

std::vector<Reader> read_readers(const std::string& path) {
    std::vector<Reader> readers;
    std::ifstream file(path);
    if (!file) throw Failure(path + " cannot be read");
    for (std::string token, who; file >> token && std::getline(file >> std::ws, who);) readers.push_back({who, token});
    return readers;
}

int check_documents(Context& context, RehearsalClient& client, const std::vector<Reader>& readers, std::size_t sample) {
    auto& connection = context.connection();
    Report report(ReportFormat::lines);
    const auto admins =
        std::count_if(readers.begin(), readers.end(), [](const Reader& each) { return each.who.ends_with(" ADMIN"); });
    std::vector<std::string> stock;
    Checked lists(report, "lists answer");
    for (const auto& kind : kinds) {
        Checked checked(report, std::string(kind.name) + " answer");
        const std::string path = kind.path;
        if (path != "/api/v1/stock" && path != "/api/v1/enquiries") lists.add("GET " + path, fault(client.get(path), ""));
        for (const auto& reader : readers) {
            lists.add("GET " + path + " as " + reader.who, fault(client.get(path, reader.token), ""));
            if (!reader.who.ends_with(" ADMIN")) continue;
            const auto slug = reader.who.substr(0, reader.who.find(' '));
            for (const auto& row : connection.query("SELECT i.id FROM " + std::string(kind.table) +
                                                        " i JOIN organisations o ON o.id = i.organisation_id WHERE o.slug = ? "
                                                        "ORDER BY RAND() LIMIT ?",
                                                    {slug, (sample + admins - 1) / std::size_t(admins)})) {
                const auto id = row.uuid(0).to_string();
                if (path == "/api/v1/stock") stock.push_back(id);
                const auto document = (path + "/").append(id);
                checked.add("GET " + document + " as " + reader.who, fault(client.get(document, reader.token), id));
            }
        }
        checked.finish();
    }
    lists.finish();
    check_pictures(connection, context.config().uploads.directory, stock, sample, client, report);
    return report.finish("");
}

}  // namespace tradepost::ctl
