#include "resources/words.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "lists/words_state.h"
#include "resources/enquiries/writer.h"
#include "resources/events/writer.h"
#include "resources/jobs/writer.h"
#include "resources/posts/writer.h"
#include "resources/stock/writer.h"
#include "writes/content_table.h"

namespace tradepost::resources {
namespace {

constexpr std::size_t batch = 200;

}  // namespace

std::span<const WordsTable> words_tables() {
    static constexpr WordsTable tables[] = {
        {"events", writes::write_words<events::EventTable>}, {"posts", writes::write_words<posts::PostTable>},
        {"jobs", writes::write_words<jobs::JobTable>},       {"stock_items", stock::write_words_again},
        {"enquiries", enquiries::write_words_again},
    };
    return tables;
}

std::size_t write_all_words(db::Connection& connection, const WordsTable& table) {
    std::size_t count = 0;
    for (std::optional<core::Uuid> last;;) {
        std::vector<core::Uuid> ids;
        for (const auto& row : connection.query("SELECT id FROM " + std::string(table.name) + " WHERE " +
                                                    (last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                                                {last, std::int64_t(batch)}))
            ids.push_back(row.uuid(0));
        if (ids.empty()) break;
        writes::write(connection, [&](writes::WriteTransaction& transaction) { table.write(transaction, ids); });
        count += ids.size();
        last = ids.back();
    }
    lists::set_words_complete(connection, table.name);
    return count;
}

void write_words_of_organisation(writes::WriteTransaction& transaction, const core::Uuid& organisation_id) {
    std::vector<core::Uuid> ids;
    for (const auto& row : transaction.connection().query("SELECT id FROM jobs WHERE organisation_id = ?", {organisation_id}))
        ids.push_back(row.uuid(0));
    for (std::span<const core::Uuid> left(ids); !left.empty(); left = left.subspan(std::min(batch, left.size())))
        writes::write_words<jobs::JobTable>(transaction, left.first(std::min(batch, left.size())));
}

}  // namespace tradepost::resources
