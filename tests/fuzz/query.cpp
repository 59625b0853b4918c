// Any query string is pairs of text or refused with `Invalid query`; encoded text decodes to itself.
#include "http/query.h"

#include <cstdint>
#include <cstdlib>

#include "core/text.h"
#include "http/error.h"
#include "http/pagination.h"

using namespace tradepost;
using namespace tradepost::http;

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

bool is_text(std::string_view text) {
    return core::is_utf8(text) && text.find('\0') == std::string_view::npos;
}

void require_links(const Query& query, const Page& page, std::int64_t total) {
    Response response;
    add_page_headers(response, "https://h/list", query, page, total);
    const auto links = *response.header("Link");
    for (const unsigned char c : links) require(c >= ' ' && c < 0x7f);
    // The address of the last link holds the same parameters, and a page that exists.
    const auto from = links.rfind('<') + 1;
    const auto address = links.substr(from, links.rfind('>') - from);
    require(address.starts_with("https://h/list?"));
    const Query again(address.substr(address.find('?') + 1));
    std::vector<std::pair<std::string, std::string>> kept;
    for (const auto& pair : query.pairs())
        if (pair.first != "page") kept.push_back(pair);
    kept.emplace_back("page", std::to_string(std::max<std::int64_t>(1, page.pages(total))));
    require(again.pairs() == kept);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const bool plus : {true, false}) {
        require(percent_decode(percent_encode(text), plus) == text);
        if (const auto decoded = percent_decode(text, plus)) require(decoded->size() <= size);
    }
    try {
        const Query query(text);
        std::string rewritten;
        for (const auto& [name, value] : query.pairs()) {
            require(is_text(name) && is_text(value));
            rewritten += "&" + percent_encode(name) + "=" + percent_encode(value);
            std::size_t not_empty = 0;
            for (const auto& pair : query.pairs()) not_empty += pair.first == name && !pair.second.empty();
            require(query.filters(name).size() == not_empty);
        }
        require(Query(rewritten).pairs() == query.pairs());
        const Page page = read_page(query);
        require(page.number >= 1 && page.number <= 2147483647 && page.limit >= 1 && page.limit <= 100);
        require_links(query, page, std::int64_t(size) * 7);
    } catch (const ApiError& error) {
        require(error.status == 400 && error.external == "Invalid query");
    }
    return 0;
}
