// What the libraries that decode a file say of it before it is stored. They run in a confined process (files/child.h).
#pragma once
#include <chrono>
#include <string>

#include "files/store.h"

namespace tradepost::files {

// Whether the decoder finds a colour profile in the picture `name` of `work`, and the profile's colour space is that of the pixels: colours are
// converted by such a profile only. A damaged profile may be among them. False also when the picture cannot be read. Throws Undecodable, which names `field`, when the decoder was
// killed, such as at its limit of memory: then nobody knows.
bool has_fitting_profile(const Work& work, const std::string& name, const std::string& field,
                         std::chrono::steady_clock::time_point deadline);

// Empty when the PDF file `name` of `work`, which begins with its header, opens without a password and has a page; else a text for the client
// that says what it must be. A password that only restricts what readers may do with the file is allowed. Throws Undecodable with 503 at the
// deadline.
std::string pdf_fault(const Work& work, const std::string& name, std::chrono::steady_clock::time_point deadline);

}  // namespace tradepost::files
