// Pseudonyms: invented texts of the same shape in the place of those that tell who somebody is.
#pragma once
#include <string>
#include <string_view>

namespace tradepost::ctl {

// The same key and text always give the same pseudonym; without the key nobody can tell which text it stands for. Texts are valid UTF-8.
class Pseudonyms {
public:
    explicit Pseudonyms(std::string key) : key_(std::move(key)) {}

    // An address at example.invalid (RFC 6761), which differs for each address. Letter case does not count.
    std::string email(std::string_view text) const;

    // As many words, each with as many letters: of the pseudonym, capitals, digits and punctuation stand where they stood.
    std::string name(std::string_view text) const { return scrambled("name", text); }
    std::string text(std::string_view text) const { return scrambled("text", text); }

    // As many digits with the same characters between them. The same digits give the same ones, which begin with 999: no country has that code.
    std::string phone(std::string_view text) const;

    // An address of example.invalid.
    std::string url(std::string_view text) const;

    // Keeps what follows the last dot.
    std::string filename(std::string_view text) const;

    // A text that is public stays, but for email addresses and telephone numbers in it. A telephone number begins with + or 0 and has at least nine
    // digits, with nothing but spaces, hyphens, slashes and brackets between them.
    std::string without_contacts(std::string_view text) const;

private:
    std::string scrambled(std::string_view kind, std::string_view text) const;
    std::string key_;
};

}  // namespace tradepost::ctl
