#include "resources/feeds/digest.h"

#include "http/conditional.h"

namespace tradepost::feeds {

std::string digest(db::Connection& connection, std::string_view table, std::string_view index,
                   const core::Uuid& organisation_id) {
    const auto half = [](const char* side) {
        return std::string("BIT_XOR(CAST(CONV(") + side + "(SHA2(CONCAT(id, updated_at), 256), 16), 16, 10) AS UNSIGNED))";
    };
    const auto rows = connection.query("SELECT COUNT(*), " + half("LEFT") + ", " + half("RIGHT") + " FROM " + std::string(table) +
                                           " FORCE INDEX (" + std::string(index) + ") WHERE organisation_id = ?",
                                       {organisation_id});
    std::string text = organisation_id.to_string();
    for (std::size_t i = 0; i < 3; ++i) text += " " + rows.at(0).text(i);
    // Lines of jobs show the name, the slug and the logo of the organisation.
    for (const auto& row : connection.query("SELECT slug, name, logo_url FROM organisations WHERE id = ?", {organisation_id}))
        text += " " + row.text(0) + " " + row.text(1) + " " + row.opt_text(2).value_or("");
    return text;
}

std::string tag_of(std::string_view digest) {
    return http::entity_tag("1 " + std::string(digest));  // another number when a line gets another form
}

}  // namespace tradepost::feeds
