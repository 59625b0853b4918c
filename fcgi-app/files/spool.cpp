#include "files/spool.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>

#include "files/files.h"
#include "http/error.h"

namespace tradepost::files {
namespace {

using core::FileDescriptor;

// Room for one descriptor beside a message, aligned as cmsg(3) wants it.
union Control {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

void set_time_limit(int socket, int seconds) {
    const timeval limit{seconds, 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

[[noreturn]] void fail_to_ask(const std::string& socket) {
    throw std::system_error(ECONNREFUSED, std::generic_category(),
                            "tradepost-spool does not answer at " + socket + " (" + std::strerror(errno) + ")");
}

FileDescriptor connect_to(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) throw std::system_error(ENAMETOOLONG, std::generic_category(), path);
    path.copy(address.sun_path, path.size());
    FileDescriptor connection(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (!connection) fail("socket");
    set_time_limit(connection.get(), 5);
    if (connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail_to_ask(path);
    return connection;
}

FileDescriptor receive(int connection, const std::string& from) {
    int error = 0;
    Control control{};
    iovec text{&error, sizeof error};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    errno = ECONNRESET;
    if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC) != sizeof error) fail_to_ask(from);
    if (error != 0) throw std::system_error(error, std::generic_category(), "tradepost-spool at " + from);
    const auto* header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_type != SCM_RIGHTS) fail_to_ask(from);
    int number = -1;
    std::memcpy(&number, CMSG_DATA(header), sizeof number);
    return FileDescriptor(number);
}

void send(int connection, int error, int file) {
    Control control{};
    iovec text{&error, sizeof error};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    if (error == 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        auto* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof file);
        std::memcpy(CMSG_DATA(header), &file, sizeof file);
    }
    sendmsg(connection, &message, MSG_NOSIGNAL);
}

}  // namespace

bool is_spool_name(std::string_view name) {
    return !name.empty() && name.size() <= spool_name_bytes && name.find_first_not_of("0123456789") == std::string_view::npos;
}

FileDescriptor open_spooled(const std::string& path, const std::string& socket) {
    FileDescriptor own(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (own) return own;
    if (errno != EACCES) fail(path);
    return ask_spool(socket, std::string_view(path).substr(path.rfind('/') + 1));
}

FileDescriptor open_incoming(const std::string& path, const std::string& incoming, const std::string& socket) {
    const bool there = path.starts_with(incoming + "/");
    if (!there || !is_spool_name(std::string_view(path).substr(incoming.size() + 1)))
        throw http::internal_error("nginx's client_body_temp_path is not " + incoming + ": " + path);
    return open_spooled(path, socket);
}

FileDescriptor ask_spool(const std::string& socket, std::string_view name) {
    const auto connection = connect_to(socket);
    if (::send(connection.get(), name.data(), name.size(), MSG_NOSIGNAL) < 0) fail_to_ask(socket);
    return receive(connection.get(), socket);
}

void serve_spooled(int connection, int folder) noexcept {
    set_time_limit(connection, 1);  // nobody may keep the others waiting
    char name[spool_name_bytes + 2] = {};
    const ssize_t got = recv(connection, name, sizeof name - 1, 0);
    if (got <= 0) return;
    if (!is_spool_name({name, std::size_t(got)})) return send(connection, EINVAL, -1);
    // O_NONBLOCK: opening a pipe must not wait for its writer.
    const FileDescriptor file(openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0) return send(connection, errno, -1);
    send(connection, S_ISREG(status.st_mode) ? 0 : EINVAL, file.get());
}

}  // namespace tradepost::files
