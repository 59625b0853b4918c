#include "resources/enquiries/list.h"

#include "lists/horizon.h"
#include "lists/selection.h"
#include "resources/enquiries/rows.h"

namespace tradepost::enquiries {
namespace {

using lists::Compare;

constexpr counts::Letter letters[] = {{.letter = 's', .column = "status"}, {.letter = 't', .column = "type"}};

// clang-format off
constexpr lists::Filter filters[] = {
    {.parameter = "status",  .compare = Compare::code, .column = "status"},
    {.parameter = "type",    .compare = Compare::code, .column = "type"},
    {.parameter = "stockId", .compare = Compare::id,   .column = "stock_id"},
    {.parameter = "jobId",   .compare = Compare::id,   .column = "job_id"},
    {.parameter = "from",    .compare = Compare::from, .column = "created_at"},
    {.parameter = "to",      .compare = Compare::to,   .column = "created_at", .not_below = "from"},
    {.parameter = "organisationId", .compare = Compare::id, .column = "organisation_id"},  // of what was sent
};
// clang-format on

constexpr lists::Order received_orders[] = {{.name = "updated", .column = "updated_at", .index = "enquiries_poll"}};

core::Time horizon_of_received(db::Connection& connection, const lists::Selection& selection, const core::Clock& clock) {
    return lists::horizon(connection, "enquiries", selection.owners, clock);
}

core::Time horizon_of_sent(db::Connection& connection, const lists::Selection& selection, const core::Clock& clock) {
    std::optional<core::Uuid> recipient;
    for (const auto& chosen : selection.chosen)
        if (chosen.filter->column == "organisation_id") recipient = core::Uuid::from_bytes(chosen.texts.at(0));
    return lists::sender_horizon(connection, selection.owners.at(0), recipient, clock);
}

void write_received(json::Writer& writer, db::Rows& rows) {
    for (auto& row : rows) write(writer, read(row));
}

void write_sent(json::Writer& writer, db::Rows& rows) {
    for (auto& row : rows) {
        auto enquiry = read(row);
        enquiry.note.reset();
        write(writer, enquiry);
    }
}

constexpr lists::Searched sent_words{"enquiry_search", "enquiry_id"};
constexpr lists::Searched received_words{"enquiry_search", "enquiry_id", "recipient_tokens"};

}  // namespace

const lists::List& received_list() {
    static const lists::List list{
        .collection = "enquiries",
        .table = "enquiries",
        .scope = "organisation_id",
        .order = {.column = "created_at", .index = "enquiries_list"},
        .orders = received_orders,
        .filters = std::span(filters).first(6),
        .counts = {.owner = 'o', .letters = letters, .most_letters = 2, .by_order = std::span(&counts::creations, 1)},
        .searched = &received_words,
        .poll = {"enquiries_poll", horizon_of_received},
        .versioned = false,
        .items = {.columns = columns(), .write = write_received},
    };
    return list;
}

const lists::List& sent_list() {
    static const lists::List list{
        .collection = "enquiries",
        .table = "enquiries",
        .scope = "from_user_id",
        .order = {.column = "created_at", .index = "enquiries_sender"},
        .filters = filters,
        .counts = {.owner = 'f', .letters = letters, .most_letters = 1, .by_order = std::span(&counts::creations, 1)},
        .searched = &sent_words,
        .poll = {.horizon = horizon_of_sent},
        .versioned = false,
        .items = {.columns = columns_of_sender(), .write = write_sent},
    };
    return list;
}

const lists::CountedTable& counted_table() {
    static const lists::CountedTable table({&received_list(), &sent_list()});
    return table;
}

}  // namespace tradepost::enquiries
