#include "resources/tables.h"

#include <vector>

#include "resources/enquiries/list.h"
#include "resources/events/writer.h"
#include "resources/jobs/writer.h"
#include "resources/posts/writer.h"
#include "resources/stock/list.h"

namespace tradepost::resources {

std::span<const writes::ContentTable> content_tables() {
    static constexpr writes::ContentTable tables[] = {
        writes::content_table<events::EventTable>,
        writes::content_table<posts::PostTable>,
        writes::content_table<jobs::JobTable>,
    };
    return tables;
}

std::span<const lists::CountedTable* const> counted_tables() {
    static const auto tables = [] {
        std::vector<const lists::CountedTable*> all{&stock::counted_table(), &enquiries::counted_table()};
        for (const auto& table : content_tables()) all.push_back(&table.counted());
        return all;
    }();
    return tables;
}

}  // namespace tradepost::resources
