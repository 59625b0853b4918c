// What all users of libcurl share: which certificates they accept, and a time limit that covers the resolver.
#pragma once
#include <curl/curl.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace tradepost::net {

// Accepts certificates of the CAs in `ca_file` alone; of the system's when it is empty.
void trust(CURL* handle, const std::string& ca_file);

struct Forbidden : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Sets the URL and performs the request: the one way to the outside. Throws Forbidden in a process of a copy (core/outgoing.h). `limit` covers all of it, from the resolution of the name to the last byte. The address is
// sent as core::wire_url() gives it. libcurl connects to the addresses found here and resolves nothing itself; it calls
// CURLOPT_OPENSOCKETFUNCTION for each address as usual. Use no proxy with it.
CURLcode perform(CURL* handle, const std::string& url, std::chrono::milliseconds limit);

}  // namespace tradepost::net
