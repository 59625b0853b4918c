#include "support/held_port.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace tradepost::test {

HeldPort::HeldPort(Listeners listeners, int number) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int shared = listeners == Listeners::servers;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(std::uint16_t(number));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &shared, sizeof shared) != 0 ||
        bind(socket_.get(), any, length) != 0 || getsockname(socket_.get(), any, &length) != 0)
        throw std::system_error(errno, std::generic_category(), "cannot bind a port");
    number_ = ntohs(address.sin_port);
}

}  // namespace tradepost::test
