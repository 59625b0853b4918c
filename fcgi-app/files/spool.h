// Bodies that nginx has spooled: files of its user, which tradepost-spool opens for workers of another user. Both ends of that.
//
// A worker connects to the socket of tradepost-spool (SOCK_SEQPACKET), sends the name of one file, and receives an errno as an int; with 0
// comes the open file (SCM_RIGHTS, unix(7)).
#pragma once
#include <string>
#include <string_view>

#include "core/file_descriptor.h"

namespace tradepost::files {

inline constexpr std::size_t spool_name_bytes = 20;

// Whether nginx may have made a file of this name: digits alone.
bool is_spool_name(std::string_view name);

// Opens a spooled body for reading; the file of another user through ask_spool(). Its owner may still change it. Throws
// std::system_error.
core::FileDescriptor open_spooled(const std::string& path, const std::string& socket);

// A body that nginx has put into `incoming`. Throws std::system_error, and http::ApiError 500 when the file is elsewhere.
core::FileDescriptor open_incoming(const std::string& path, const std::string& incoming, const std::string& socket);

// The file `name` of the folder that tradepost-spool serves at `socket`, open for reading. Throws std::system_error: the reason why it could
// not be opened, or ECONNREFUSED when tradepost-spool did not answer within 5 seconds.
core::FileDescriptor ask_spool(const std::string& socket, std::string_view name);

// The other end: answers one connection. Only regular files directly in `folder`, an open directory, are passed.
void serve_spooled(int connection, int folder) noexcept;

}  // namespace tradepost::files
