#include "db/pages.h"

#include <optional>
#include <string>
#include <vector>

namespace tradepost::db {

std::size_t each_page(Connection& connection, std::string_view table, int size,
                      const std::function<void(std::span<const core::Uuid> ids)>& use) {
    std::size_t count = 0;
    for (std::optional<core::Uuid> last;;) {
        std::vector<core::Uuid> ids;
        for (const auto& row : connection.query("SELECT id FROM " + std::string(table) + " FORCE INDEX (PRIMARY) WHERE " +
                                                    (last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                                                {last, size}))
            ids.push_back(row.uuid(0));
        if (ids.empty()) return count;
        use(ids);
        count += ids.size();
        last = ids.back();
    }
}

}  // namespace tradepost::db
