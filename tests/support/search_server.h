// A search server of a test's own, with the indexes of this release, and what keeps them up to date.
#pragma once
#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "core/config.h"
#include "search/engines/indexer.h"

namespace tradepost::test {

// Runs searchd with its files in a folder of its own, from the constructor to the destructor.
class SearchServer {
public:
    // With the indexes of this release, and `others`.
    explicit SearchServer(const std::vector<search::SphinxIndex>& others = {});
    ~SearchServer();
    SearchServer(const SearchServer&) = delete;
    SearchServer& operator=(const SearchServer&) = delete;

    const core::Config::Search& config() const { return config_; }
    const std::string& folder() const { return folder_; }
    pid_t process() const { return process_; }

    void start();           // returns once it answers
    void stop(int signal);  // returns once it is gone

private:
    std::string folder_;
    core::Config::Search config_;
    pid_t process_ = 0;
};

// The indexes of all tables.
std::vector<search::SphinxIndex> search_indexes();

// The indexers of all of these. Borrows connection and configuration.
std::vector<std::unique_ptr<search::Indexer>> indexers(db::Connection& connection, const core::Config::Search& config);

// Returns once the indexes have all that is committed now.
void follow(search::Indexer& indexer);
void follow(const std::vector<std::unique_ptr<search::Indexer>>& indexers);

}  // namespace tradepost::test
