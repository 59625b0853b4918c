#include "support/server_settings.h"

#include <array>

namespace tradepost::test {
namespace {

using Setting = ServerSetting;

const auto settings = std::to_array<Setting>({
    {"autocommit", "0", "1"},
    {"completion_type", "'CHAIN'", "NO_CHAIN"},
    {"time_zone", "'+05:30'", "+00:00"},
    {"sql_mode", "'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,HIGH_NOT_PRECEDENCE,NO_UNSIGNED_SUBTRACTION'",
     "STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"},
    {"collation_connection", nullptr, "utf8mb4_general_ci"},
    {"character_set_client", nullptr, "utf8mb4"},
    {"character_set_connection", nullptr, "utf8mb4"},
    {"character_set_results", nullptr, "utf8mb4"},
    {"foreign_key_checks", "0", "1"},
    {"unique_checks", "0", "1"},
    {"sql_auto_is_null", "1", "0"},
    {"sql_safe_updates", "1", "0"},
    {"sql_select_limit", "1", "18446744073709551615"},
    {"max_join_size", "1", "1", Setting::both, "sql_big_selects"},
    {"max_sort_length", "64", "1024"},
    {"group_concat_max_len", "4", "16777216"},
    {"innodb_ft_enable_stopword", "1", "0"},
    {"lc_messages", "'de_DE'", "en_US"},
    {"wait_timeout", "5", "28800"},
    {"net_read_timeout", "5", "30"},
    {"net_write_timeout", "5", "60"},
    {"innodb_lock_wait_timeout", "1", "5"},
    {"lock_wait_timeout", "1", "6"},
    {"tx_isolation", "'SERIALIZABLE'", "READ-COMMITTED", Setting::mariadb},
    {"max_statement_time", "1", "0.000000", Setting::mariadb},
    {"idle_transaction_timeout", "2", "0", Setting::mariadb},
    {"idle_readonly_transaction_timeout", "2", "0", Setting::mariadb},
    {"idle_write_transaction_timeout", "2", "0", Setting::mariadb},
    {"innodb_snapshot_isolation", nullptr, "0", Setting::mariadb},
    {"transaction_isolation", "'SERIALIZABLE'", "READ-COMMITTED", Setting::mysql},
    {"max_execution_time", "1000", "0", Setting::mysql},
});

}  // namespace

std::span<const ServerSetting> server_settings() {
    return settings;
}

bool has(db::Connection& connection, const ServerSetting& setting) {
    if (setting.server != Setting::both && connection.is_mariadb() != (setting.server == Setting::mariadb)) return false;
    return !connection.query("SHOW VARIABLES LIKE '" + std::string(setting.name) + "'").empty();
}

void set_unusual(db::Connection& administrator) {
    for (const auto& setting : settings)
        if (setting.unusual && has(administrator, setting))
            administrator.execute("SET GLOBAL " + std::string(setting.name) + " = " + setting.unusual);
}

}  // namespace tradepost::test
