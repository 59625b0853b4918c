// The text of a page.
#pragma once
#include <string>
#include <string_view>

namespace tradepost::ctl {

// The text of `html`, which is valid UTF-8: paragraphs, headings and lists with line breaks, items of lists with a hyphen, character
// references as characters. Line breaks in the source stay, because WordPress writes paragraphs so. The text loses pictures, the addresses
// of links, emphasis, comments, and the contents of script and style.
std::string text_of_html(std::string_view html);

}  // namespace tradepost::ctl
