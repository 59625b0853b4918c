// Exports: what import reads.
#pragma once
#include <cstdio>

#include "db/connection.h"

namespace tradepost::ctl {

struct ExportOptions {
    bool password_hashes = false;  // of users
};

// One line a resource, in the order of their ids, as of one moment. Throws Failure when `to` cannot be written, std::logic_error
// for a kind other than users, organisations, jobs, events, posts and stock.
void export_lines(db::Connection& connection, const std::string& kind, const ExportOptions& options, std::FILE* to);

}  // namespace tradepost::ctl
