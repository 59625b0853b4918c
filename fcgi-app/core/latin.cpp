#include "core/latin.h"

#include <dlfcn.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

#include <mutex>
#include <stdexcept>

namespace tradepost::core {
namespace {

void check(UErrorCode error) {
    if (U_FAILURE(error)) throw std::runtime_error(std::string("ICU: ") + u_errorName(error));
}

#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name)  // with ICU's version, which its headers add

// A function of the library with the rules. It takes more than a megabyte of every process that has loaded it, and titles in other scripts are few:
// so it is loaded for the first of them. It stands beside libicuuc, which is linked, in one package.
template <class Function>
Function* rules_function(const char* name) {
    static void* const library = dlopen("libicui18n.so." NAME_OF(U_ICU_VERSION_MAJOR_NUM), RTLD_NOW);
    auto* const found = library ? dlsym(library, name) : nullptr;
    if (!found) throw std::runtime_error(std::string("ICU: ") + dlerror());
    return reinterpret_cast<Function*>(found);
}

UTransliterator* open_rules() {
    constexpr std::u16string_view rules = u"Any-Latin; Latin-ASCII";
    UErrorCode error = U_ZERO_ERROR;
    static const auto open = rules_function<decltype(utrans_openU)>(NAME_OF(utrans_openU));
    auto* const opened = open(rules.data(), std::int32_t(rules.size()), UTRANS_FORWARD, nullptr, 0, nullptr, &error);
    check(error);
    return opened;
}

}  // namespace

std::string latin(std::string_view text) {
    // A transliterator may not be used by two threads at once.
    static std::mutex turn;
    const std::lock_guard lock(turn);
    static UTransliterator* const rules = open_rules();

    UErrorCode error = U_ZERO_ERROR;
    std::u16string wide(text.size() + 1, u'\0');
    std::int32_t length = 0;
    u_strFromUTF8(wide.data(), std::int32_t(wide.size()), &length, text.data(), std::int32_t(text.size()), &error);
    check(error);
    // A character becomes some letters at most; what needs more is refused below.
    wide.resize(16 * wide.size() + 64);
    std::int32_t limit = length;
    static const auto transliterate = rules_function<decltype(utrans_transUChars)>(NAME_OF(utrans_transUChars));
    transliterate(rules, wide.data(), &length, std::int32_t(wide.size()), 0, &limit, &error);
    check(error);
    std::string out(3 * std::size_t(length) + 1, '\0');
    std::int32_t size = 0;
    u_strToUTF8(out.data(), std::int32_t(out.size()), &size, wide.data(), length, &error);
    check(error);
    out.resize(std::size_t(size));
    return out;
}

}  // namespace tradepost::core
