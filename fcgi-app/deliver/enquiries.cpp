#include "deliver/enquiries.h"

#include "core/clock.h"
#include "core/present.h"
#include "db/sql.h"
#include "deliver/mail.h"
#include "identity/instance_keys.h"
#include "identity/people/enquiry_mail.h"
#include "json/parse.h"
#include "outbox/queue.h"

namespace tradepost::deliver {
namespace {

// A digest names so many; the dashboard shows the others.
constexpr std::size_t most_named = 50;
// So many are told by one digest, and the rest by the next message.
constexpr int most_told = 1000;

// Letters about single enquiries to one member in an hour; the next full hour's digest tells the others.
constexpr std::int64_t most_letters = 5;
constexpr std::chrono::hours letters_count_for{1};

// `d` is the choice of rows; each is an enquiry with its reader.
std::string select(std::string_view where) {
    return "SELECT u.name, u.email, o.slug, o.name, e.id, e.name, e.email, e.phone, e.message, e.target_title, "
           "e.target_reference, "
           "e.created_at, e.organisation_id FROM enquiries e JOIN memberships m ON m.organisation_id = e.organisation_id "
           "JOIN users u ON u.id = m.user_id JOIN organisations o ON o.id = e.organisation_id WHERE m.user_id = ? "
           "AND u.disabled_at IS NULL AND u.email IS NOT NULL AND " +
           std::string(identity::effective_enquiry_mail) + " <> 'NONE' AND " + std::string(where);
}

json::Json optional(std::optional<std::string> text) {
    return text && !text->empty() ? json::Json(std::move(*text)) : json::Json();
}

// What a letter says of one enquiry.
json::Json told(const core::Config& config, const db::Row& row) {
    return {{"sender", row.text(5)},
            {"senderEmail", optional(row.opt_text(6))},
            {"senderPhone", optional(row.opt_text(7))},
            {"message", row.text(8)},
            {"about", optional(row.opt_text(9))},
            {"reference", optional(row.opt_text(10))},
            {"sentAt", core::to_http_date(row.time(11))},
            {"link", config.http.base_url + "/dashboard/o/" + row.text(2) + "/enquiries/" + row.uuid(4).to_string()}};
}

EnquiryLetter letter_of(db::Connection& connection, const core::Config& config, const db::Row& row,
                        const identity::Unsubscription& reader) {
    EnquiryLetter letter;
    letter.to = {row.text(0), row.text(1)};
    const auto key = identity::InstanceKeys(connection).get(identity::unsubscribe_key, core::SystemClock().now());
    letter.unsubscribe_url = config.http.base_url + "/unsubscribe/" + identity::make_unsubscribe_token(key, reader);
    letter.values = {{"name", row.text(0)},
                     {"organisation", row.text(3)},
                     {"unsubscribe", letter.unsubscribe_url},
                     {"settings", config.http.base_url + "/dashboard/settings/letters"}};
    return letter;
}

core::Uuid id_in(const json::Json& payload, const char* name) {
    return core::present(core::Uuid::parse(payload.at(name).get<std::string>()));
}

Letter to_letter(std::string_view name, EnquiryLetter& letter) {
    return {.name = name,
            .to = std::move(letter.to),
            .values = std::move(letter.values),
            .reply_to = std::move(letter.reply_to),
            .unsubscribe_url = std::move(letter.unsubscribe_url)};
}

// How many enquiries of others came to the organisation in the hour before this one, counted to most_letters. Each of them made a letter to the
// same member before, as those are sent one after the other.
std::int64_t letters_before(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& organisation_id,
                            const core::Uuid& enquiry_id, core::Time created_at) {
    return connection
        .query(
            "SELECT COUNT(*) FROM (SELECT 1 FROM enquiries FORCE INDEX (enquiries_list) WHERE organisation_id = ? AND created_at "
            "> ? AND (created_at < ? OR (created_at = ? AND id < ?)) AND (from_user_id IS NULL OR from_user_id <> ?) LIMIT ?) e",
            {organisation_id, created_at - letters_count_for, created_at, created_at, enquiry_id, user_id, most_letters})
        .at(0)
        .integer(0);
}

// As for a daily letter: of the messages of an hour the first that is due tells all.
void tell_with_others(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& organisation_id,
                      const core::Uuid& enquiry_id) {
    const auto now = core::SystemClock().now();
    const auto user = user_id.to_string(), organisation = organisation_id.to_string();
    db::in_transaction(connection, [&] {
        const bool noted =
            !connection
                 .query("SELECT 1 FROM enquiry_digests WHERE user_id = ? AND organisation_id = ? AND enquiry_id = ?",
                        {user_id, organisation_id, enquiry_id})
                 .empty();
        if (noted) return;  // by an attempt that ended before it was recorded
        identity::EnquiryMails(connection).note(user_id, organisation_id, enquiry_id);
        outbox::send(connection, now,
                     {.kind = "mail digest",
                      .target = "digest " + user + " " + organisation,
                      .payload = json::dump(json::Json{{"userId", user}, {"organisationId", organisation}}),
                      .organisation_id = organisation_id,
                      .not_before = std::chrono::floor<std::chrono::hours>(now) + std::chrono::hours(1)});
    });
}

}  // namespace

std::optional<EnquiryLetter> enquiry_letter(db::Connection& connection, const core::Config& config, const core::Uuid& user_id,
                                            const core::Uuid& enquiry_id) {
    const auto rows = connection.query(select("e.id = ? LIMIT 1"), {user_id, enquiry_id});
    if (rows.empty()) return {};
    const auto& row = rows.front();
    auto letter = letter_of(connection, config, row, {user_id, row.uuid(12)});
    letter.organisation_id = row.uuid(12);
    letter.sent_at = row.time(11);
    letter.values.update(told(config, row));
    if (const auto email = row.opt_text(6); email && core::parse_email(*email)) letter.reply_to = {row.text(5), *email};
    return letter;
}

std::optional<EnquiryLetter> digest_letter(db::Connection& connection, const core::Config& config, const core::Uuid& user_id,
                                           const core::Uuid& organisation_id) {
    const auto rows = connection.query(
        select("e.organisation_id = ? AND e.id IN (SELECT d.enquiry_id FROM enquiry_digests d WHERE d.user_id = ? AND "
               "d.organisation_id = ?) ORDER BY e.created_at, e.id LIMIT ?"),
        {user_id, organisation_id, user_id, organisation_id, most_told});
    if (rows.empty()) return {};
    auto letter = letter_of(connection, config, rows.front(), {user_id, organisation_id});
    json::Json enquiries = json::Json::array();
    for (const auto& row : rows) {
        letter.told.push_back(row.uuid(4));
        if (enquiries.size() < most_named) enquiries.push_back(told(config, row));
    }
    letter.values["count"] = rows.size() == 1 ? "1 new enquiry" : std::to_string(rows.size()) + " new enquiries";
    letter.values["more"] = rows.size() > most_named ? json::Json(std::to_string(rows.size() - most_named)) : json::Json();
    letter.values["enquiries"] = std::move(enquiries);
    letter.values["list"] = config.http.base_url + "/dashboard/o/" + rows.front().text(2) + "/enquiries";
    return letter;
}

void forget_digest(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& organisation_id,
                   const std::vector<core::Uuid>& told) {
    if (told.empty()) return;
    std::vector<db::Value> values{user_id, organisation_id};
    values.insert(values.end(), told.begin(), told.end());
    // The letter is sent: a conflict must not have it sent again.
    db::in_transaction(connection, [&] {
        return connection.execute(
            "DELETE t FROM enquiry_digests t FORCE INDEX (PRIMARY) WHERE t.user_id = ? AND t.organisation_id = ? "
            "AND t.enquiry_id IN (" +
                db::placeholders(told.size()) + ")",
            values);
    });
}

outbox::Outcome send_enquiry(Sending& sending, const outbox::Delivery& delivery) {
    const auto payload = json::parse(delivery.payload);
    auto& connection = sending.connection;
    const auto user = id_in(payload, "userId"), enquiry = id_in(payload, "enquiryId");
    auto letter = enquiry_letter(connection, sending.config, user, enquiry);
    if (!letter) return outbox::Outcome::delivered("not wanted any more");
    if (letters_before(connection, user, letter->organisation_id, enquiry, letter->sent_at) >= most_letters) {
        tell_with_others(connection, user, letter->organisation_id, enquiry);
        return outbox::Outcome::delivered("told with others at the next full hour");
    }
    return send_letter(sending, delivery, to_letter("enquiry", *letter));
}

outbox::Outcome send_digest(Sending& sending, const outbox::Delivery& delivery) {
    const auto payload = json::parse(delivery.payload);
    const auto user = id_in(payload, "userId"), organisation = id_in(payload, "organisationId");
    auto letter = digest_letter(sending.connection, sending.config, user, organisation);
    if (!letter) return outbox::Outcome::delivered("nothing to tell, or not wanted any more");
    auto outcome = send_letter(sending, delivery, to_letter("digest", *letter));
    if (outcome.kind == outbox::Outcome::Kind::delivered) forget_digest(sending.connection, user, organisation, letter->told);
    return outcome;
}

}  // namespace tradepost::deliver
