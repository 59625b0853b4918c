#include "engines/server_configuration.h"

namespace tradepost::engines {

std::string server_configuration(const core::Config::Search& config, const std::vector<SphinxIndex>& indexes,
                                 const std::string& folder) {
    std::string text;
    for (const auto& index : indexes)
        for (const char side : {'a', 'b'}) text += index.definition(side, folder + "/data") + "\n";
    const auto listen = config.socket.empty() ? config.host + ":" + std::to_string(config.port) : config.socket;
    // With --console it also logs to its standard output. Each commit reaches the system at once, and the disk within a second, which
    // is enough: an index says up to where it came. A statement of the indexer has 2 MiB.
    return text + "searchd\n{\n\tlisten = " + listen + ":mysql41\n\tpid_file = " + folder +
           "/searchd.pid\n\tlog = /dev/null\n\tbinlog_path = " + folder +
           "/binlog\n\tbinlog_flush = 2\n\tworkers = threads\n\tmax_packet_size = 16M\n\tcollation_server = binary\n"
           "\trt_flush_period = 3600\n}\n";
}

}  // namespace tradepost::engines
