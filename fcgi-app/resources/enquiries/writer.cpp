#include "resources/enquiries/writer.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/present.h"
#include "core/text.h"
#include "db/failure.h"
#include "fields/rows.h"
#include "resource/description.h"
#include "resources/enquiries/list.h"
#include "resources/enquiries/rows.h"
#include "resources/jobs/job.h"
#include "resources/stock/stock_item.h"
#include "search/grammar/tokens.h"
#include "webhooks/announce.h"
#include "webhooks/webhook.h"
#include "writes/derived.h"

namespace tradepost::enquiries {
namespace {

template <class T>
std::string item() {
    const auto& is = T::described();
    return (is.visible.until ? "t." + resource::column_of(is, is.visible.until) : "NULL") +
           ", t.title, t.reference FROM users u JOIN " + std::string(is.table) +
           " t JOIN organisations o ON o.id = t.organisation_id WHERE " + resource::listed_sql(is, "t.") + " AND t.id";
}

std::string target(EnquiryTarget kind) {
    switch (kind) {
        case EnquiryTarget::stock:
            return item<stock::StockItem>();
        case EnquiryTarget::job:
            return item<jobs::Job>();
        case EnquiryTarget::organisation:
            return "NULL, NULL, NULL FROM users u JOIN organisations o WHERE o.id";
    }
    throw std::logic_error("no such target");
}

// The sender does not find the recipient's note.
void write_words(db::Connection& connection, const Enquiry& enquiry) {
    const std::array sent{std::string_view(enquiry.name), core::text_of(enquiry.email), std::string_view(enquiry.message)};
    const std::array received{sent[0], sent[1], sent[2], core::text_of(enquiry.note)};
    const auto tokens = search::index_tokens(sent), recipient_tokens = search::index_tokens(received);
    connection.execute(
        "INSERT INTO enquiry_search (enquiry_id, tokens, recipient_tokens) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE tokens = "
        "VALUES(tokens), recipient_tokens = VALUES(recipient_tokens)",
        {enquiry.id, tokens, recipient_tokens});
}

}  // namespace

std::optional<EnquiryWriter::Found> EnquiryWriter::find_target(const core::Uuid& sender_id, EnquiryTarget kind,
                                                               const core::Uuid& id, bool test_only) {
    const std::string own_test =
        "(o.test = 1 AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.organisation_id = o.id))";
    const auto rows = connection_.query("SELECT o.id, o.polled_until, u.polled_until, " + target(kind) + " = ? AND " +
                                            (test_only ? own_test : "(o.published = 1 OR " + own_test + ")") +
                                            " AND u.id = ? LOCK IN SHARE MODE",
                                        {id, sender_id});
    if (rows.empty()) return {};
    db::conflict_on(connection_, std::array{rows[0].uuid(0), sender_id});
    return Found{rows[0].uuid(0), rows[0].opt_time(3), std::max(rows[0].opt_time(1), rows[0].opt_time(2)), rows[0].opt_text(4),
                 rows[0].opt_text(5)};
}

std::optional<EnquiryWriter::Kept> EnquiryWriter::find(const core::Uuid& id) {
    auto rows = connection_.query(
        "SELECT " + columns() +
            ", (SELECT u.polled_until FROM users u WHERE u.id = t.from_user_id) FROM enquiries t WHERE t.id = ? FOR "
            "UPDATE",
        {id});
    if (rows.empty()) return {};
    Kept kept{read(rows[0]), rows[0].opt_time(rows[0].columns() - 1)};
    if (kept.enquiry.from_user_id) db::conflict_on(connection_, std::span(&*kept.enquiry.from_user_id, 1));
    return kept;
}

void EnquiryWriter::insert(const Enquiry& e) {
    std::string values;
    fields::append_literals(values, sent_fields(), e);
    fields::append_literals(values, worked_fields(), e);
    std::optional<db::Binary> reference;
    if (e.target_reference) reference = db::Binary{*e.target_reference};
    connection_.execute(
        "INSERT INTO enquiries (id, organisation_id, type, stock_id, job_id, from_user_id, created_at, updated_at, "
        "replied_at, target_title, target_reference" +
            fields::columns(sent_fields()) + fields::columns(worked_fields()) + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?" +
            values + ")",
        {e.id, e.organisation_id, e.type, e.stock_id, e.job_id, e.from_user_id, e.created_at, e.updated_at, e.replied_at,
         e.target_title, reference});
    change_count(e, +1);
    write_words(connection_, e);
    record(e, changes::Kind::written);
    webhooks::announce(connection_, webhooks::enquiry_created,
                       {e.organisation_id, e.created_at, webhooks::enquiry_created, e.id,
                        // As the recipient reads it.
                        [&] { return render(core::present(find(e.id)).enquiry); }});
}

void EnquiryWriter::update(const Enquiry& e, const Enquiry& row) {
    std::string changed;
    for (const auto& field : worked_fields())
        changed.append(fields::column_name(field)).append(" = ").append(fields::literal(field, e)).append(", ");
    connection_.execute("UPDATE enquiries SET " + changed + "updated_at = ?, replied_at = ? WHERE id = ?",
                        {e.updated_at, e.replied_at, e.id});
    change_count(row, -1);
    change_count(e, +1);
    if (e.note != row.note) write_words(connection_, e);
    record(e, changes::Kind::written);
}

void EnquiryWriter::forget_sender(const Enquiry& row, core::Time updated_at) {
    connection_.execute("UPDATE enquiries SET from_user_id = NULL, updated_at = ? WHERE id = ?", {updated_at, row.id});
    auto without = row;
    without.from_user_id.reset();
    change_count(row, -1);
    change_count(without, +1);
    record(row, changes::Kind::written);
}

void EnquiryWriter::remove(const Enquiry& row) {
    connection_.execute("DELETE FROM enquiry_search WHERE enquiry_id = ?", {row.id});
    connection_.execute("DELETE FROM enquiries WHERE id = ?", {row.id});
    change_count(row, -1);
    record(row, changes::Kind::removed);
}

void EnquiryWriter::record(const Enquiry& enquiry, changes::Kind kind) {
    transaction_.record("enquiries", enquiry.id, enquiry.organisation_id, kind);
}

void write_words_again(writes::WriteTransaction& transaction, std::span<const core::Uuid> ids) {
    EnquiryWriter writer(transaction);
    for (const auto& id : ids)
        if (const auto kept = writer.find(id)) write_words(transaction.connection(), kept->enquiry);
}

void EnquiryWriter::change_count(const Enquiry& enquiry, std::int64_t n) {
    const auto& table = counted_table();
    const auto row = table.of([&](std::string_view column) -> counts::Cell {
        if (column == "organisation_id") return writes::cell(enquiry.organisation_id);
        if (column == "from_user_id") return writes::cell(enquiry.from_user_id);
        if (column == "type") return writes::cell(enquiry.type);
        if (column == "created_at") return writes::cell(enquiry.created_at);
        return writes::cell<Enquiry>(column, worked_fields(), {}, enquiry);
    });
    table.count(transaction_.counts(table.name()), row, n);
}

}  // namespace tradepost::enquiries
