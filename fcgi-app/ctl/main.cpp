// tradepostctl: an instance's administration on the command line.
#include <csignal>

#include "core/log.h"
#include "ctl/command_line.h"

int main(int argc, char** argv) {
    (void)std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is a failed write
    tradepost::core::log::use_system_log("tradepostctl");
    return tradepost::ctl::run(argc, argv);
}
