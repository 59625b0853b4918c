// Runs .case files in-process: App::handle with a clock that stands still, and a database with the fixture in it.
#pragma once
#include <string>
#include <vector>

#include "support/case_file.h"
#include "support/database.h"

namespace tradepost::test {

class SearchServer;

// The databases of a run: one that is only read, and one that has the fixture's rows again for every file that writes.
class CaseDatabases {
public:
    CaseDatabases();
    const core::Config::Database& for_reading() const { return read_.config(); }
    const core::Config::Database& for_writing();

private:
    MigratedDatabase filled_, read_, written_;
};

// What did not match, ready to be printed: the request, the differences and the answer. Stops at the first exchange that fails,
// as later ones build on it. With a search server, it answers what has a `q`, and has all that was written before. Throws for a case that
// makes no sense.
std::vector<std::string> run_case(const CaseFile& file, CaseDatabases& databases, const SearchServer* search = nullptr);

// Whether a file is worth a search server: it asks for a `q`, and does not hold or take away what else the search reads.
bool searches(const CaseFile& file);

}  // namespace tradepost::test
