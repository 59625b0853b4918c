// doctor: texts and references that are older than the rule for texts (fields::normalised()).
#include <set>

#include "ctl/doctor/doctor.h"
#include "fields/rows.h"
#include "identity/organisations/organisation.h"
#include "identity/people/user_writer.h"
#include "resource/description.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "resources/stock/stock_item.h"

namespace tradepost::ctl {
namespace {

constexpr std::size_t most_named = 5;

// NamedRows that have something, the first of them by name.
class NamedRows {
public:
    void add(const core::Uuid& id, std::string_view what) {
        if (++count_ > most_named) return;
        shown_.append(shown_.empty() ? "" : ", ").append(id.to_string()).append(" (").append(what).append(")");
    }
    std::size_t count() const { return count_; }
    std::string shown() const { return count_ > most_named ? shown_ + " …" : shown_; }

private:
    std::size_t count_ = 0;
    std::string shown_;
};

struct TextColumn {
    std::string_view field;
    std::string column;
    fields::Rule rule;
};

// The texts in one line. Line breaks at the end of a longer text harm nobody.
template <class T>
std::vector<TextColumn> one_line_columns(std::span<const fields::Field<T>> all) {
    std::vector<TextColumn> columns;
    for (const auto& field : all)
        if ((field.rule.kind == fields::Kind::text || field.rule.kind == fields::Kind::name) &&
            field.rule.lines == fields::Lines::one)
            columns.push_back({field.name, fields::column_name(field), field.rule});
    return columns;
}

// Whether another row has the reference, or would have it by the rule.
class KnownReferences {
public:
    KnownReferences(db::Connection& connection, const std::string& table) : connection_(connection), table_(table) {}
    bool collides(const core::Uuid& organisation, const std::string& normal) {
        const bool again = !seen_.emplace(organisation, normal).second;
        return again || !connection_
                             .query("SELECT 1 FROM " + table_ + " WHERE organisation_id = ? AND reference = ?",
                                    {organisation, db::Binary{normal}})
                             .empty();
    }

private:
    db::Connection& connection_;
    const std::string table_;
    std::set<std::pair<core::Uuid, std::string>> seen_;
};

void check_table(db::Connection& connection, const std::string& table, const std::vector<TextColumn>& columns, Report& report) {
    constexpr std::size_t at_once = 5000;
    const bool belongs = columns[0].field == "reference";
    std::string list = belongs ? "organisation_id" : "id";
    for (const auto& each : columns) list.append(", ").append(each.column);
    NamedRows old, colliding;
    KnownReferences references(connection, table);
    for (std::optional<core::Uuid> last = core::Uuid(); last;) {
        const auto rows =
            connection.query("SELECT id, " + list + " FROM " + table + " FORCE INDEX (PRIMARY) WHERE id > ? ORDER BY id LIMIT ?",
                             {*last, std::int64_t(at_once)});
        last.reset();
        for (const auto& row : rows) {
            const auto id = row.uuid(0);
            if (rows.size() == at_once) last = id;
            std::string faulty;
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const auto text = row.opt_text(i + 2);
                if (!text) continue;
                const auto normal = fields::normalised(columns[i].rule, *text);
                if (normal == *text && !(text->empty() && columns[i].rule.min > 0)) continue;
                faulty.append(faulty.empty() ? "" : " ").append(columns[i].field);
                if (columns[i].field == "reference" && references.collides(row.uuid(1), normal)) colliding.add(id, *text);
            }
            if (!faulty.empty()) old.add(id, faulty);
        }
    }
    const std::string things = table == "stock_items" ? "stock items" : table;
    if (colliding.count() > 0)
        report.warn(std::to_string(colliding.count()) + " " + things +
                        " have the reference of another one but for white space and accents: " + colliding.shown(),
                    "delete one of the two, or give it another reference");
    if (old.count() > 0)
        report.warn(
            std::to_string(old.count()) + " " + things + " have texts as no new one may have them: " + old.shown(),
            "nothing has changed them; send the fields again without spaces at their ends, line breaks and invisible characters");
    if (colliding.count() + old.count() == 0) report.check(true, "texts of " + things, "");
}

}  // namespace

void check_texts(db::Connection& connection, Report& report) {
    check_table(connection, "organisations", one_line_columns(identity::organisation_fields()), report);
    check_table(connection, "users", one_line_columns(identity::user_fields()), report);
    check_table(connection, "jobs", one_line_columns(jobs::Job::described().fields), report);
    check_table(connection, "stock_items", one_line_columns(stock::StockItem::described().fields), report);
    check_table(connection, "events", one_line_columns(events::Event::described().fields), report);
    check_table(connection, "posts", one_line_columns(posts::Post::described().fields), report);
}

}  // namespace tradepost::ctl
