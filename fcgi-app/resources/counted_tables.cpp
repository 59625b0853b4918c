#include "resources/counted_tables.h"

#include "resources/enquiries/list.h"
#include "resources/events/list.h"
#include "resources/jobs/list.h"
#include "resources/posts/list.h"
#include "resources/stock/list.h"

namespace tradepost::resources {

std::span<const lists::CountedTable* const> counted_tables() {
    static const lists::CountedTable* const tables[] = {
        &jobs::counted_table(),  &stock::counted_table(),  &enquiries::counted_table(),
        &posts::counted_table(), &events::counted_table(),
    };
    return tables;
}

}  // namespace tradepost::resources
