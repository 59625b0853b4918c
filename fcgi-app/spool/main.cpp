// tradepost-spool: opens the bodies that nginx has spooled for the uploads pool.
//
// nginx creates those files for its own user alone. This program runs as that user and therefore holds no secret: no configuration, no
// credential, no connection to the database. The pool runs as the instance's user.
#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <string_view>

#include "core/version.h"
#include "files/spool.h"

int main(int argc, char** argv) {
    using tradepost::core::FileDescriptor;
    if (argc == 2 && std::string_view(argv[1]) == "--version")
        return std::cout << "tradepost-spool " << tradepost::core::version << "\n", 0;
    if (argc != 2) return std::cerr << "usage: tradepost-spool FOLDER, with a listening socket as file descriptor 0\n", 2;
    const FileDescriptor folder(open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder) return std::cerr << "tradepost-spool: " << argv[1] << ": " << std::strerror(errno) << "\n", 1;
    for (;;) {
        const FileDescriptor connection(accept4(0, nullptr, nullptr, SOCK_CLOEXEC));
        if (connection)
            tradepost::files::serve_spooled(connection.get(), folder.get());
        else if (errno != EINTR && errno != ECONNABORTED)
            return std::cerr << "tradepost-spool: accept: " << std::strerror(errno) << "\n", 1;
    }
}
