// A list of tags names what stands in it, and nothing is read out of what is no list.
#include "http/conditional.h"

#include <cstdint>
#include <cstdlib>

#include "core/text.h"
#include "http/request_id.h"

using namespace tradepost;
using namespace tradepost::http;

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string field(reinterpret_cast<const char*>(data), size);
    const std::string tag = entity_tag(field);
    require(tag.size() == 34 && names_tag(tag, tag) && names_tag("W/" + tag, tag) && names_tag("*", tag));
    require(tag != entity_tag(field + "x"));
    require(!names_tag("", tag));
    if (names_tag(field, "\"a\"")) require(core::trim(field) == "*" || field.find("\"a\"") != std::string::npos);
    // Behind or before a list that is one, and that has other tags, the tag is found.
    const std::string last = entity_tag("last" + field);
    if (names_tag(field + ", " + last, last) && core::trim(field) != "*") {
        require(names_tag(field + ", " + tag, tag));
        require(names_tag(tag + "," + field, tag));
        require(names_tag(field + ",, W/" + tag, tag));
    }
    // Opaque texts as clients may make them: anything but a quote.
    std::string opaque = "\"";
    for (const char c : field)
        if (c != '"') opaque += c;
    opaque += '"';
    require(names_tag("\"x\", W/" + opaque + " , \"y\"", opaque));

    const std::string id = request_id(field);
    require(id == field || id.size() == 32);
    require(!id.empty() && id.size() <= 128);
    require(id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") == std::string::npos);
    return 0;
}
