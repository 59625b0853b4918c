#include "repo/event_writer.h"

namespace tradepost::repo {

std::vector<std::string_view> EventTable::searched(const Resource& event) {
    static const std::string none;
    return {event.title, event.summary ? *event.summary : none, event.description ? *event.description : none};
}

void EventTable::append_derived(std::string& sql, const Resource& event) {
    sql += key_literal(event.category) + ", " + key_literal(event.city) + ", " + db::literal(event.over_at()) + ", ";
}

}  // namespace tradepost::repo
