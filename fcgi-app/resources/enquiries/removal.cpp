#include "resources/enquiries/removal.h"

#include <algorithm>

#include "identity/user.h"
#include "resources/enquiries/writer.h"

namespace tradepost::enquiries {
namespace {

constexpr std::size_t batch = 100;

}  // namespace

std::uint64_t remove(db::Connection& connection, std::span<const core::Uuid> ids) {
    std::uint64_t removed = 0;
    for (; !ids.empty(); ids = ids.subspan(std::min(batch, ids.size())))
        removed += writes::write(connection, [&](writes::WriteTransaction& transaction) {
            EnquiryWriter writer(transaction);
            std::uint64_t count = 0;
            for (const auto& id : ids.first(std::min(batch, ids.size())))
                if (const auto kept = writer.find(id)) {
                    writer.remove(kept->enquiry);
                    ++count;
                }
            return count;
        });
    return removed;
}

std::uint64_t remove_sent_before(db::Connection& connection, core::Time before) {
    std::uint64_t removed = 0;
    for (;;) {
        std::vector<core::Uuid> ids;
        for (const auto& row :
             connection.query("SELECT id FROM enquiries FORCE INDEX (enquiries_age) WHERE created_at < ? LIMIT ?",
                              {before, std::int64_t(batch)}))
            ids.push_back(row.uuid(0));
        if (ids.empty()) return removed;
        removed += remove(connection, ids);
    }
}

std::vector<core::Uuid> find_of_person(db::Connection& connection, const std::optional<core::Uuid>& user_id,
                                       std::string_view email_key) {
    constexpr std::int64_t page = 2000;
    std::vector<core::Uuid> found;
    for (std::optional<core::Uuid> last;;) {
        const auto rows = connection.query("SELECT id, from_user_id, email FROM enquiries FORCE INDEX (PRIMARY) WHERE " +
                                               std::string(last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                                           {last, page});
        if (rows.empty()) return found;
        for (const auto& row : rows) {
            const auto email = row.opt_text(2);
            if ((user_id && row.opt_uuid(1) == user_id) || (email && identity::email_key(*email) == email_key))
                found.push_back(row.uuid(0));
        }
        last = rows.back().uuid(0);
    }
}

}  // namespace tradepost::enquiries
