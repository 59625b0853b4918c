#include "identity/passwords/password_rules.h"

#include <unistd.h>

#include <cstddef>  // crack.h needs size_t and does not declare it
using std::size_t;

#include <crack.h>

#include <cctype>
#include <cstdlib>
#include <stdexcept>

#include "core/text.h"
#include "identity/people/users.h"

namespace tradepost::identity {
namespace {

// Shorter ones are in too many good passwords.
constexpr std::size_t shortest_word = 6;

// Whether at least half of the characters follow their neighbour, as in abcdef or 4321.
bool is_mostly_rows(std::string_view text) {
    std::size_t rows = 0;
    for (std::size_t i = 1; i < text.size(); ++i) rows += std::abs(text[i] - text[i - 1]) == 1;
    return 2 * rows >= text.size();
}

// Whether cracklib takes it for a word, also when it is written backwards, with digits for letters or with endings; for a row of
// neighbours such as abcdef; or for a few characters repeated.
bool is_guessable(const std::string& text) {
    const std::string dictionary = GetDefaultCracklibDict();
    if (access((dictionary + ".pwd").c_str(), R_OK) != 0)
        throw std::runtime_error("cannot read " + dictionary + ".pwd: install cracklib-runtime, or run update-cracklib");
    // The name of the service is a word, too. Without a name cracklib would look for that of the process's user.
    const char* const fault = FascistCheckUser(text.c_str(), dictionary.c_str(), "tradepost", "");
    // Its own rule for rows refuses one of fifty passphrases that end in random digits.
    return fault && (std::string_view(fault).find("systematic") == std::string_view::npos || is_mostly_rows(text));
}

// What is left when digits and punctuation at both ends are not counted: password of 123password!.
std::string core_of(std::string_view text) {
    const auto is_filling = [](unsigned char c) { return c < 128 && !std::isalpha(c); };
    while (!text.empty() && is_filling(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && is_filling(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return std::string(text);
}

// The part of which the text is a repetition: word of wordwordword.
std::string repeated_part(const std::string& text) {
    const auto period = (text + text).find(text, 1);
    return text.substr(0, period);
}

bool is_common(const std::string& password) {
    if (is_guessable(password)) return true;
    const auto word = repeated_part(core_of(password));
    return word.size() >= shortest_word && word != password && is_guessable(word);
}

}  // namespace

std::optional<std::string> password_fault(std::string_view typed, std::string_view email, std::string_view name) {
    const auto password = core::nfc(typed);
    if (auto fault = fields::fault(new_password_rule, password)) return fault;
    const auto key = email_key(password);
    if (key == email_key(email) || key == email_key(email.substr(0, email.rfind('@')))) return "must not be the email";
    if (key == email_key(name)) return "must not be the name";
    if (is_common(password)) return "must not be a common password";
    return {};
}

}  // namespace tradepost::identity
