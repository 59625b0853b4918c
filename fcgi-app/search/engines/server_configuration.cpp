#include "search/engines/server_configuration.h"

namespace tradepost::search {

std::string server_configuration(const core::Config::Search& config, const std::vector<SphinxIndex>& indexes,
                                 const std::string& folder) {
    std::string text;
    for (const auto& index : indexes)
        for (const char side : {'a', 'b'}) text += index.definition(side, folder + "/data") + "\n";
    const auto listen = config.socket.empty() ? config.host + ":" + std::to_string(config.port) : config.socket;
    // With --console it also logs to its standard output. A log of what it has in memory is not needed, since an index says up to where it
    // came; and with a full disk the server of 2.2 goes on with one that lacks something. A statement of the indexer has 2 MiB.
    return text + "searchd\n{\n\tlisten = " + listen + ":mysql41\n\tpid_file = " + folder +
           "/searchd.pid\n\tlog = /dev/null\n\tbinlog_path =\n\tworkers = threads\n\tmax_packet_size = 16M\n"
           "\tcollation_server = binary\n\trt_flush_period = 3600\n}\n";
}

}  // namespace tradepost::search
