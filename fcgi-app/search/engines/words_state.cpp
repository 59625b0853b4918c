#include "search/engines/words_state.h"

#include "search/grammar/tokens.h"

namespace tradepost::search {

bool words_complete(db::Connection& connection, std::string_view table) {
    const auto rows = connection.query("SELECT scheme FROM search_words WHERE list = ?", {table});
    return !rows.empty() && rows[0].integer(0) == words_scheme;
}

void set_words_complete(db::Connection& connection, std::string_view table) {
    connection.execute("INSERT INTO search_words (list, scheme) VALUES (?, ?) ON DUPLICATE KEY UPDATE scheme = VALUES(scheme)",
                       {table, words_scheme});
}

}  // namespace tradepost::search
