// Password hashes. Those marked "PHP" were written by password_hash() of PHP 8.2.
#include "identity/passwords/passwords.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "identity/passwords/argon2id.h"
#include "identity/passwords/bcrypt.h"

using namespace tradepost;
using identity::Argon2id;
using identity::Passwords;
using Verdict = identity::Passwords::Verdict;

namespace {

// Small parameters: what is tested does not depend on them, except where a test says so.
struct Small : Passwords {
    Small() : Passwords({.argon2_memory_kib = 64, .argon2_passes = 2}) {}
    // Whether the hash is refused, and so takes nothing.
    bool refuses(std::string_view password, std::string_view hash) const {
        const auto work = work_of(hash);
        return verify(password, hash) == Verdict::wrong && work.argon2() == 0 && work.bcrypt_rounds == 0;
    }
};

bool same(const identity::HashingWork& work, std::uint64_t kib, std::uint32_t passes, std::uint64_t rounds) {
    return work.argon2_kib == kib && work.argon2_passes == passes && work.bcrypt_rounds == rounds;
}

const std::string php_bcrypt = "$2y$04$LmAR2p.qcM7AqzakWYJ1VO6F2t2aeaC6A3VcOvGvYMtzLa3WPcNBy";  // PHP: correct horse

}  // namespace

BOOST_FIXTURE_TEST_SUITE(passwords, Small)

BOOST_AUTO_TEST_CASE(a_password_is_the_same_in_every_normal_form) {
    struct Counted : Small {
        Verdict matches(std::string_view password, std::string_view hash) const override {
            ++tries;
            return Passwords::matches(password, hash);
        }
        void compute(std::string_view password, const identity::HashingWork& work) const override {
            ++tries;
            Passwords::compute(password, work);
        }
        int taken() const { return std::exchange(tries, 0); }
        mutable int tries = 0;
    } counted;
    const std::string nfc = "caf\xC3\xA9 correct", nfd = "cafe\xCC\x81 correct", ascii = "cafe correct",
                      bytes = "\xFF\xFE correct";
    auto of_nfd = identity::Argon2id::parse(hash("x")).value();
    of_nfd.digest = of_nfd.compute(nfd, 32);
    const auto old = of_nfd.to_text();
    const auto today = hash(nfd);
    const auto none = identity::HashingWork{64, 2, 0};
    BOOST_TEST((counted.verify(nfc, today) == Verdict::right));
    BOOST_TEST(counted.taken() == 1);
    BOOST_TEST((counted.verify(nfd, today) == Verdict::right));
    BOOST_TEST(counted.taken() == 1);
    // A hash of what was typed before there was a rule.
    BOOST_TEST((counted.verify(nfd, old) == Verdict::needs_rehash));
    BOOST_TEST(counted.taken() == 2);
    BOOST_TEST((counted.verify(nfc, old) == Verdict::wrong));
    BOOST_TEST(counted.taken() == 1);
    // A refusal takes as long whether there is a hash or not.
    for (const auto& [text, tries] : {std::pair(nfc, 1), {nfd, 2}, {ascii, 1}, {bytes, 1}}) {
        BOOST_TEST((counted.verify(text, hash("other")) == Verdict::wrong));
        BOOST_TEST(counted.taken() == tries);
        counted.waste(text, none);
        BOOST_TEST(counted.taken() == tries);
    }
    BOOST_TEST((verify(bytes, hash(bytes)) == Verdict::right));
}

BOOST_AUTO_TEST_CASE(argon2id_gives_the_reference_vectors) {
    // From the tests of the reference implementation, "password" with "somesalt"; the last one by it, version 0x10.
    for (const char* text : {"$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                             "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc",
                             "$argon2id$v=16$m=256,t=2,p=1$c29tZXNhbHQ$2gcOV25Q8vOKPIl8vdxsf7QCjocJcf+erntOGHkpXm4"}) {
        BOOST_TEST_CONTEXT(text) {
            const auto parsed = Argon2id::parse(text);
            BOOST_REQUIRE(parsed);
            BOOST_TEST(parsed->salt == "somesalt");
            BOOST_TEST((parsed->compute("password", 32) == parsed->digest));
            BOOST_TEST(parsed->to_text() == text);
            BOOST_TEST((verify("password", text) == Verdict::needs_rehash));
            BOOST_TEST((verify("Password", text) == Verdict::wrong));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_text_without_version_means_the_first_one) {
    BOOST_TEST((verify("password", "$argon2id$m=256,t=2,p=1$c29tZXNhbHQ$2gcOV25Q8vOKPIl8vdxsf7QCjocJcf+erntOGHkpXm4") ==
                Verdict::needs_rehash));
    BOOST_TEST((verify("password", "$argon2id$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4") ==
                Verdict::wrong));
}

BOOST_AUTO_TEST_CASE(our_hashes) {
    const auto first = hash("correct horse"), second = hash("correct horse");
    BOOST_TEST(first != second);
    BOOST_TEST(first.starts_with("$argon2id$v=19$m=64,t=2,p=1$"));
    BOOST_TEST(Argon2id::parse(first)->salt.size() == 16u);
    BOOST_TEST((verify("correct horse", first) == Verdict::right));
    BOOST_TEST((verify("correct horse", second) == Verdict::right));
    BOOST_TEST((verify("correct horse ", first) == Verdict::wrong));
    BOOST_TEST((verify("", first) == Verdict::wrong));
    BOOST_TEST((verify("", hash("")) == Verdict::right));

    const std::string longest(4096, 'p'), nul("a\0b", 3);
    BOOST_TEST((verify(longest, hash(longest)) == Verdict::right));
    BOOST_TEST((verify(longest.substr(1), hash(longest)) == Verdict::wrong));
    BOOST_TEST((verify("a", hash(nul)) == Verdict::wrong));
}

BOOST_AUTO_TEST_CASE(the_defaults_are_the_contracts) {
    const Passwords real{core::Config::Auth{}};
    const auto text = real.hash("correct horse");
    BOOST_TEST(text.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    BOOST_TEST((real.verify("correct horse", text) == Verdict::right));
    BOOST_TEST((verify("correct horse", text) == Verdict::needs_rehash));
}

BOOST_AUTO_TEST_CASE(other_parameters_are_old) {
    for (const core::Config::Auth& other : {core::Config::Auth{72, 2}, core::Config::Auth{64, 3}, core::Config::Auth{64, 1}})
        BOOST_TEST((verify("p", Passwords(other).hash("p")) == Verdict::needs_rehash));
    // PHP
    const std::string php = "$argon2id$v=19$m=256,t=3,p=1$U0gvRWxTL2wyT3RWZndKcw$GpjlYl2iL1zI3yvFJBeeYDyACUMBXpgn/SOZNmgMHVE";
    BOOST_TEST((verify("correct horse", php) == Verdict::needs_rehash));
    BOOST_TEST((verify("wrong horse", php) == Verdict::wrong));
}

BOOST_AUTO_TEST_CASE(bcrypt_of_php) {
    BOOST_TEST((verify("correct horse", php_bcrypt) == Verdict::needs_rehash));
    BOOST_TEST((verify("Correct horse", php_bcrypt) == Verdict::wrong));
    BOOST_TEST((verify("", php_bcrypt) == Verdict::wrong));
    BOOST_TEST((verify("pässwörd ☃", "$2y$04$iUtX.cPct2tvGnHtOmkoeuAiHDmxUzaaSWuM9UVWN4daz82iJp5x.") == Verdict::needs_rehash));
    for (const char* prefix : {"$2a$", "$2b$"}) {
        auto other = php_bcrypt;
        other.replace(0, 4, prefix);
        BOOST_TEST((verify("correct horse", other) == Verdict::needs_rehash));
    }
    // The reference implementation's.
    BOOST_TEST((verify("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW") == Verdict::needs_rehash));
}

BOOST_AUTO_TEST_CASE(bcrypt_counts_72_bytes) {
    const std::string x72(72, 'x'), x71(71, 'x');
    const char* hash72 = "$2y$04$GrBpBg7i.WRTd3VlfjYVfuwU5ObYQReYczXczfj0g.s.T8ajA5kEC";  // PHP: 72 times x, and "ignored"
    BOOST_TEST((verify(x72 + "ignored", hash72) == Verdict::needs_rehash));
    BOOST_TEST((verify(x72, hash72) == Verdict::needs_rehash));
    BOOST_TEST((verify(x71, hash72) == Verdict::wrong));
    const char* hash600 = "$2y$04$XwrW.QPolZ5IaKSVLGOsJePF1CGg9au6zjvygdtkz4v87XfOtWxX6";  // PHP: 600 times y
    BOOST_TEST((verify(std::string(600, 'y'), hash600) == Verdict::needs_rehash));
    BOOST_TEST((verify(std::string(4096, 'y'), hash600) == Verdict::needs_rehash));
}

BOOST_AUTO_TEST_CASE(bcrypt_does_not_end_at_a_nul) {
    BOOST_TEST((verify(std::string_view("correct horse\0x", 15), php_bcrypt) == Verdict::wrong));
}

BOOST_AUTO_TEST_CASE(bits_of_the_salt_that_do_not_count) {
    auto other = php_bcrypt;
    BOOST_REQUIRE(other[28] == 'O');
    other[28] = 'P';
    BOOST_TEST((verify("correct horse", other) == Verdict::needs_rehash));
}

BOOST_AUTO_TEST_CASE(damaged_and_unknown_hashes_are_refused) {
    const std::string good = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
    auto cut = good, wide = good, padded = good + "=", bcrypt_cut = php_bcrypt, bcrypt_odd = php_bcrypt;
    cut.pop_back();
    wide.back() = '5';  // its last two bits must be zero
    bcrypt_cut.pop_back();
    bcrypt_odd[40] = '!';
    const std::string hashes[] = {
        "",
        "*",
        "password",
        "x",
        cut,
        wide,
        padded,
        good + "$",
        good + std::string(1, '\0'),
        bcrypt_cut,
        bcrypt_odd,
        php_bcrypt + "y",
        "$2x$" + php_bcrypt.substr(4),
        "$2y$4$" + php_bcrypt.substr(7),
        "$2y$03$" + php_bcrypt.substr(7),
        "$argon2i$" + good.substr(10),
        "$argon2id$v=18$" + good.substr(15),
        "$argon2id$v=$" + good.substr(15),
        "$argon2id$v=m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=0256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=0,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=-256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=4294967552,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=2,p=33$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=2$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=2,p=1$c29t$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$",
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ",
        "$1$salt$qJH7.N4xYta3aEG/dfqo/0",
    };
    for (const auto& text : hashes) {
        BOOST_TEST(refuses("password", text), text);
        BOOST_TEST(fault(text).has_value(), text);
    }
    BOOST_TEST(!refuses("password", good));
    BOOST_TEST(!refuses("password", php_bcrypt));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_hashes_of_others) {
    const std::string argon2 = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                      digits = php_bcrypt.substr(7), form = "must begin with", bcrypt_cut = "must be a whole bcrypt hash",
                      argon2_cut = "must be a whole Argon2id hash", cost = "must have a cost of bcrypt of at most 13",
                      demand = "must be an Argon2id hash that a sign-in can afford";
    const struct {
        std::string hash, fault;  // how it begins; empty: none
    } table[] = {
        {php_bcrypt, ""},
        {"$2b$04$" + digits, ""},
        {"$2a$13$" + digits, ""},
        {"$2y$10$", bcrypt_cut},
        {"$2y$10$abc", bcrypt_cut},
        {php_bcrypt.substr(0, 59), bcrypt_cut},
        {php_bcrypt + "a", bcrypt_cut},
        {php_bcrypt + "\n", bcrypt_cut},
        {"$2y$04$" + std::string(52, 'a') + "=", bcrypt_cut},
        {"$2y$03$" + digits, bcrypt_cut},
        {"$2y$32$" + digits, bcrypt_cut},
        {"$2y$1a$" + digits, bcrypt_cut},
        {"$2y$14$" + digits, cost},
        {"$2y$31$" + digits, cost},
        {"$2x$10$" + digits, form},
        {"$2$10$" + digits, form},
        {"$6$saltsalt$abcdefgh", form},
        {"$y$j9T$salt$hash", form},
        {"$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", form},
        {"correct horse", form},
        {"", form},
        {argon2, ""},
        {"$argon2id$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", ""},
        {"$argon2id$nonsense", argon2_cut},
        {"$argon2id$", argon2_cut},
        {argon2.substr(0, argon2.size() - 1), argon2_cut},
        {argon2 + "==", argon2_cut},
        {"$argon2id$v=20$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", argon2_cut},
        {"$argon2id$v=19$m=7,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", argon2_cut},
        {"$argon2id$v=19$m=256,t=0,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", argon2_cut},
        {"$argon2id$v=19$m=256,t=2,p=0$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", argon2_cut},
        {"$argon2id$v=19$m=256,t=2,p=1$c29t$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", argon2_cut},
        {"$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQM", demand},
        {"$argon2id$v=19$m=1048576,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", demand},
    };
    for (const auto& row : table) {
        const auto found = fault(row.hash).value_or("");
        BOOST_TEST((row.fault.empty() ? found.empty() : found.starts_with(row.fault)), row.hash << ": " << found);
        // What an import takes is what a sign-in verifies.
        BOOST_TEST(found.empty() == !refuses("correct horse", row.hash), row.hash);
    }
    // Of an instance that demands as much itself.
    const Passwords large({.argon2_memory_kib = 1 << 20, .argon2_passes = 2});
    BOOST_TEST(!large.fault("$argon2id$v=19$m=1048576,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"));
}

BOOST_AUTO_TEST_CASE(absurd_demands_are_refused) {
    const std::string salt_and_digest = "$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
    for (const char* parameters :
         {"m=4194304,t=1,p=1", "m=262145,t=1,p=1", "m=256,t=4294967295,p=1", "m=262144,t=5,p=1", "m=1024,t=1,p=65"})
        BOOST_TEST(refuses("password", std::string("$argon2id$v=19$") + parameters + salt_and_digest), parameters);
    for (const char* cost : {"14", "17", "31", "99"}) {
        auto text = php_bcrypt;
        text.replace(4, 2, cost);
        BOOST_TEST(refuses("correct horse", text), cost);
    }
}

BOOST_AUTO_TEST_CASE(what_hashes_take) {
    BOOST_TEST(same(own_work(), 64, 2, 0));
    BOOST_TEST(same(work_of(hash("p")), 64, 2, 0));
    BOOST_TEST(same(work_of("$argon2id$m=256,t=3,p=2$c29tZXNhbHQ$2gcOV25Q8vOKPIl8vdxsf7QCjocJcf+erntOGHkpXm4"), 256, 3, 0));
    BOOST_TEST(same(work_of(php_bcrypt), 0, 1, 16));
    BOOST_TEST(same(work_of(std::string(php_bcrypt).replace(4, 2, "13")), 0, 1, 8192));

    const identity::HashingWork ours{64, 2, 0}, larger{256, 3, 0}, bcrypt{0, 1, 4096};
    const auto all = most(most(bcrypt, ours), larger);
    BOOST_TEST(same(all, 256, 3, 4096));
    BOOST_TEST(same(most(larger, most(ours, bcrypt)), 256, 3, 4096));
    BOOST_TEST(same(rest(all, {}), 256, 3, 4096));
    BOOST_TEST(same(rest(all, ours), 213, 3, 4096));
    BOOST_TEST(same(rest(all, larger), 0, 3, 4096));
    BOOST_TEST(same(rest(all, {0, 1, 1024}), 256, 3, 3072));
    BOOST_TEST(same(rest(all, bcrypt), 256, 3, 0));
    BOOST_TEST(same(rest(ours, all), 0, 2, 0));  // one that was imported a moment ago
}

BOOST_AUTO_TEST_CASE(a_digest_that_chance_could_meet_is_refused) {
    auto parsed = *Argon2id::parse(hash("password"));
    for (const std::size_t length : {4, 15}) {
        parsed.digest = parsed.compute("password", length);
        BOOST_TEST((verify("password", parsed.to_text()) == Verdict::wrong));
    }
    parsed.digest = parsed.compute("password", 16);
    BOOST_TEST((verify("password", parsed.to_text()) == Verdict::right));
}

BOOST_AUTO_TEST_CASE(base64_of_every_length) {
    Argon2id sample;
    sample.memory_kib = 64;
    sample.passes = 1;
    for (std::size_t length = 8; length < 70; ++length) {
        sample.salt.push_back(char(length * 37));
        sample.digest.push_back(char(255 - length * 11));
        if (sample.salt.size() < 8) continue;
        const auto back = Argon2id::parse(sample.to_text());
        BOOST_REQUIRE(back);
        BOOST_TEST((back->salt == sample.salt && back->digest == sample.digest));
    }
}

BOOST_AUTO_TEST_SUITE_END()
