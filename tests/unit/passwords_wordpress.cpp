// Password hashes of WordPress. All but the first were written by PHP 8.2: `$P$` as phpass does, and `$wp$2y$` by password_hash() of what
// wp_hash_password() of WordPress 6.8 gives it.
#include "identity/passwords/wordpress.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <ctime>

#include "identity/passwords/passwords.h"

using namespace tradepost;
using identity::HashingWork;
using Verdict = identity::Passwords::Verdict;

namespace {

struct Small : identity::Passwords {
    Small() : Passwords({.argon2_memory_kib = 64, .argon2_passes = 2}) {}
    bool fits(std::string_view password, std::string_view hash) const {
        const auto verdict = verify(password, hash);
        BOOST_TEST((verdict != Verdict::right));
        return verdict == Verdict::needs_rehash;
    }
};

const std::string phpass = "$P$BabcdefghKfdE7H4Uy7ajxpijsjAJW0";                                  // correct horse
const std::string wordpress = "$wp$2y$04$rl5uU.kdirWBjpVdah4kwOvQURN0Eka4CRzKaewPD1mW2KoOibPsa";  // the same
const std::string snowman = "pässwörd ☃", quotes = R"(it's "on")";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(passwords_wordpress, Small)

BOOST_AUTO_TEST_CASE(phpass_hashes) {
    BOOST_TEST(fits("test12345", "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0"));  // of phpass itself
    BOOST_TEST(fits("correct horse", phpass));
    BOOST_TEST(fits(snowman, "$P$9zY3./qPss6z4qbVuq9Wz8fbcfSfuL/"));
    BOOST_TEST(fits(std::string(600, 'y'), "$P$5tradeposyQQRtizCzifeoJpFYV3j9/"));
    BOOST_TEST(!fits(std::string(599, 'y'), "$P$5tradeposyQQRtizCzifeoJpFYV3j9/"));
    for (const char* wrong : {"Correct horse", "correct hors", "correct horse!", "", "x"})
        BOOST_TEST(!fits(wrong, phpass), wrong);
    // All bytes count.
    BOOST_TEST(fits(std::string_view("a\0b", 3), "$P$5nulbytese.9K8WBfynyjpryobDPEf1"));
    BOOST_TEST(!fits("a", "$P$5nulbytese.9K8WBfynyjpryobDPEf1"));
    BOOST_TEST(!fits(std::string_view("correct horse\0x", 15), phpass));
}

BOOST_AUTO_TEST_CASE(hashes_of_wordpress_6_8) {
    BOOST_TEST(fits("correct horse", wordpress));
    BOOST_TEST(fits(snowman, "$wp$2y$04$HVZpVFSk4lmI41KVx0T95eLVLJEOi/sP9UfEmjAIS4PqZROZKvvMe"));
    for (const char* wrong : {"Correct horse", "correct hors", "correct horse!", "", "x"})
        BOOST_TEST(!fits(wrong, wordpress), wrong);
    // Bcrypt alone would count 72 bytes, and end at a NUL.
    const std::string x72(72, 'x');
    const char* const of_79 = "$wp$2y$04$m/Sf9ZUWYHnGMjPER4TVxewN5KZsLnSgx47WOEM/Hk7z2mM8TcN1.";
    BOOST_TEST(fits(x72 + "ignored", of_79));
    BOOST_TEST(!fits(x72, of_79));
    BOOST_TEST(!fits(x72 + "ignores", of_79));
    BOOST_TEST(fits(std::string(600, 'y'), "$wp$2y$04$gs9FnqBdowgTm9xbklNsXOpQx1VvLPs2kR5b8ZeB0Bqu3OXEN.vWG"));
    const char* const of_nul = "$wp$2y$04$sFHsAODN.6w7WFXW7A9mWu0NPMnW.xxKHuenUsw4F2aR4bA0Yk2/.";
    BOOST_TEST(fits(std::string_view("a\0b", 3), of_nul));
    BOOST_TEST(!fits("a", of_nul));
    // The bcrypt hash within is of another text.
    BOOST_TEST(!fits("correct horse", wordpress.substr(3)));
}

BOOST_AUTO_TEST_CASE(white_space_at_the_ends_does_not_count) {
    for (const auto& hash : {phpass, wordpress}) {
        BOOST_TEST(fits(" \t\n\r\vcorrect horse \n", hash));
        BOOST_TEST(!fits("correct  horse", hash));
    }
}

BOOST_AUTO_TEST_CASE(quotes_as_the_forms_of_wordpress_pass_them_on) {
    for (const char* const hash : {"$P$5quotes12K64cSLcC0Y8L03TzyRVFj/", "$P$5quotes34/hBsmOAZm/isWBcnxqBJ40",
                                   "$wp$2y$04$udxUmmQ/2Rnjgyg1W.IDneXcJirhhQ7MFpF1YHyDVfKH9M60vYRVa",
                                   "$wp$2y$04$SJpzTsGhhD7CpsdBbEcSuul5H4Wo4wffDf26w9fuIMeLJi8XYQzvO"}) {
        BOOST_TEST(fits(quotes, hash), hash);
        BOOST_TEST(!fits("its on", hash), hash);
    }
}

BOOST_AUTO_TEST_CASE(damaged_hashes_are_refused) {
    const std::string whole_phpass = "must be a whole phpass hash of 34 characters",
                      form = "must begin with $2y$, $2b$, $2a$, $wp$2y$,",
                      whole_wordpress = "must be a whole WordPress hash of 63 characters", phpass_rest = phpass.substr(4),
                      bcrypt_rest = wordpress.substr(9);
    const struct {
        std::string hash, fault;
    } table[] = {
        {"$P$", whole_phpass},
        {"$P$B", whole_phpass},
        {"$P$Babcdefgh", whole_phpass},
        {phpass.substr(0, 33), whole_phpass},
        {phpass + "0", whole_phpass},
        {phpass + std::string(1, '\0'), whole_phpass},
        {"$P$B" + std::string(30, '!'), whole_phpass},
        {"$P$4" + phpass_rest, whole_phpass},  // a cost of 6
        {"$P$T" + phpass_rest, whole_phpass},  // a cost of 31
        {"$P$z" + phpass_rest, whole_phpass},
        {"$P$$" + phpass_rest, whole_phpass},
        {"$P$F" + phpass_rest, "must have a cost of phpass of at most 16"},
        {"$P$S" + phpass_rest, "must have a cost of phpass of at most 16"},
        {"$H$B" + phpass_rest, form},
        {"$wp$2y$", whole_wordpress},
        {"$wp$2y$04", whole_wordpress},
        {wordpress.substr(0, 62), whole_wordpress},
        {wordpress + "0", whole_wordpress},
        {"$wp$2y$03" + bcrypt_rest, whole_wordpress},
        {"$wp$2y$32" + bcrypt_rest, whole_wordpress},
        {"$wp$2y$14" + bcrypt_rest, "must have a cost of bcrypt of at most 13"},
        {"$wp$2y$31" + bcrypt_rest, "must have a cost of bcrypt of at most 13"},
        {"$wp" + phpass, form},
        {"$wp$2x$04" + bcrypt_rest, form},
        {"$wp$wp$2y$04" + bcrypt_rest, form},
        {"$wp$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", form},
    };
    for (const auto& [hash, begin] : table) {
        const auto found = fault(hash).value_or("");
        BOOST_TEST(found.starts_with(begin), hash << ": " << found);
        BOOST_TEST((verify("correct horse", hash) == Verdict::wrong), hash);
        BOOST_TEST((work_of(hash) == HashingWork{}), hash);
    }
    for (const auto& hash : {phpass, wordpress, "$P$E" + phpass_rest, "$wp$2y$13" + bcrypt_rest})
        BOOST_TEST(!fault(hash).has_value(), hash);
}

BOOST_AUTO_TEST_CASE(what_they_take) {
    BOOST_TEST((work_of(phpass) == HashingWork{.phpass_rounds = 8192}));
    BOOST_TEST((work_of(wordpress) == HashingWork{.wordpress_rounds = 16}));
    const HashingWork ours{64, 2, 0}, old{.phpass_rounds = 8192}, today{.wordpress_rounds = 1024}, both{64, 2, 0, 1024, 8192};
    BOOST_TEST((most(most(old, today), ours) == both));
    BOOST_TEST((rest(both, old) == HashingWork{64, 2, 0, 1024, 0}));
    BOOST_TEST((rest(both, HashingWork{.wordpress_rounds = 256}) == HashingWork{64, 2, 0, 768, 8192}));
    BOOST_TEST((rest(both, HashingWork{64, 2, 0}) == HashingWork{0, 2, 0, 1024, 8192}));
}

// A refusal takes as long for every user, whatever the password is: once for each form of it.
BOOST_AUTO_TEST_CASE(refusals_take_as_long_as_what_they_stand_for, *boost::unit_test::label("timing")) {
    const auto seconds = [](auto&& work) {
        const auto begin = std::clock();
        for (int i = 0; i < 3; ++i) work();
        return double(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    const std::string costly = "$P$E" + phpass.substr(4), costly_bcrypt = "$wp$2y$08" + wordpress.substr(9);
    for (const auto& hash : {costly, costly_bcrypt})
        for (const auto& password : {std::string("wrong horse"), quotes, std::string(1000, '\'')}) {
            const auto verified = seconds([&] { BOOST_TEST(!fits(password, hash)); });
            const auto wasted = seconds([&] { waste(password, work_of(hash)); });
            BOOST_TEST(std::max(verified, wasted) < 1.6 * std::min(verified, wasted), hash << ": " << verified << ", " << wasted);
        }
}

BOOST_AUTO_TEST_SUITE_END()
