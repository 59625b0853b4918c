#include "support/search_server.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "db/sphinxql.h"
#include "resources/tables.h"
#include "search/engines/server_configuration.h"
#include "support/patience.h"
#include "support/process.h"

namespace tradepost::test {

SearchServer::SearchServer(const std::vector<search::SphinxIndex>& others)
    : folder_((std::filesystem::temp_directory_path() / "tradepost-search-XXXXXX").string()) {
    if (!mkdtemp(folder_.data())) throw std::runtime_error("cannot make " + folder_);
    config_ = patient_config().search;
    config_.engine = "sphinx";
    config_.socket = folder_ + "/sphinx.sock";
    std::filesystem::create_directory(folder_ + "/data");
    auto indexes = search_indexes();
    indexes.insert(indexes.end(), others.begin(), others.end());
    std::ofstream(folder_ + "/sphinx.conf") << search::server_configuration(config_, indexes, folder_);
    start();
}

SearchServer::~SearchServer() {
    if (process_ != 0) stop(SIGKILL);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void SearchServer::start() {
    process_ = start_command({"searchd", "--console", "--config", folder_ + "/sphinx.conf"}, folder_ + "/out");
    const auto answers = [&] {
        try {
            return !db::SphinxQl(config_, std::chrono::seconds(1)).query("SHOW TABLES").empty();
        } catch (const db::Error&) {
            return false;
        }
    };
    if (!await(answers)) throw std::runtime_error("searchd does not answer: " + read_file(folder_ + "/out"));
}

void SearchServer::stop(int signal) {
    kill(process_, signal);
    wait_for(process_);
    process_ = 0;
}

std::vector<search::SphinxIndex> search_indexes() {
    return search::sphinx_indexes(resources::counted_tables());
}

void follow(search::Indexer& indexer) {
    while (indexer.follow([] { return true; })) {
    }
}

std::vector<std::unique_ptr<search::Indexer>> indexers(db::Connection& connection, const core::Config::Search& config) {
    std::vector<std::unique_ptr<search::Indexer>> all;
    for (auto& described : search_indexes()) all.push_back(std::make_unique<search::Indexer>(connection, config, described));
    return all;
}

void follow(const std::vector<std::unique_ptr<search::Indexer>>& indexers) {
    for (const auto& each : indexers) follow(*each);
}

}  // namespace tradepost::test
