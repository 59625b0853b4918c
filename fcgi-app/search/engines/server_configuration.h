// The configuration of a search server for one instance.
#pragma once
#include <string>
#include <vector>

#include "core/config.h"
#include "search/engines/sphinx_index.h"

namespace tradepost::search {

// As searchd's configuration file. The server's files are in `folder`/data, which has to be there.
std::string server_configuration(const core::Config::Search& config, const std::vector<SphinxIndex>& indexes,
                                 const std::string& folder);

}  // namespace tradepost::search
