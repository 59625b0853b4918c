// Imports and exports of users.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "identity/people/users.h"
#include "identity/sessions/sessions.h"
#include "repo/import_support.h"

using namespace tradepost;
using ctl::import_users;

BOOST_FIXTURE_TEST_SUITE(import_users_, test::ImportFixture)

BOOST_AUTO_TEST_CASE(users_and_their_memberships) {
    const std::string line =
        R"({"email":" Ann@Dealer.example","name":"Ann","passwordHash":"$2y$10$abcdefghijklmnopqrstuuZqu9oK1OUk0wWn3kJfPvNrcr0CUfdCu","organisations":[{"organisation":"north-tractors","role":"ADMIN"},{"slug":"south-marine","role":"MEMBER"}]})";
    const std::string trimmed = std::string(line).replace(line.find(" Ann@"), 1, "");
    BOOST_TEST(import(import_users, line) == "1/0/0");
    BOOST_TEST(value("email FROM users") == "Ann@Dealer.example");
    BOOST_TEST(value("email_key FROM users") == "ann@dealer.example");
    BOOST_TEST(value("GROUP_CONCAT(role ORDER BY role) FROM memberships") == "ADMIN,MEMBER");
    BOOST_TEST(import(import_users, trimmed) == "0/0/1");
    BOOST_TEST(import(import_users, R"({"email":"ANN@dealer.example","name":"Ann"})") == "0/1/0");
    BOOST_TEST(value("CONCAT(email, password_hash) FROM users") ==
               "ANN@dealer.example$2y$10$abcdefghijklmnopqrstuuZqu9oK1OUk0wWn3kJfPvNrcr0CUfdCu");
    BOOST_TEST(count("memberships") == 2);
    BOOST_TEST(
        import(import_users,
               R"({"email":"ANN@dealer.example","name":"Ann","memberships":[{"organisation":"south-marine","role":"ADMIN"}]})") ==
        "0/1/0");
    BOOST_TEST(value("role FROM memberships") == "ADMIN");
    BOOST_TEST(import(import_users,
                      R"({"email":"ANN@dealer.example","name":"Ann","disabledAt":"2026-01-01T00:00:00Z","memberships":[]})") ==
               "0/1/0");
    BOOST_TEST(count("memberships") == 0);
    BOOST_TEST(value("disabled_at FROM users") == "2026-01-01 00:00:00.000");
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
    const auto refused = [&](const std::string& members, const std::string& why) {
        BOOST_TEST(import(import_users, R"({"email":"a@b.example","name":"A")" + members + "}") == "1: " + why);
    };
    refused(R"(,"password":"secret")",
            "Invalid field: password: is not imported: give passwordHash, or use tradepostctl user set-password");
    refused(R"(,"passwordHash":"$1$abc")",
            "Invalid field: passwordHash: must begin with $2y$, $2b$, $2a$, $wp$2y$, $P$ or $argon2id$");
    refused(
        R"(,"passwordHash":"$2y$10$abc")",
        "Invalid field: passwordHash: must be a whole bcrypt hash of 60 characters, such as $2y$10$ and 53 of ./A-Za-z0-9: it is "
        "cut off or damaged");
    refused(
        R"(,"passwordHash":"$argon2id$nonsense")",
        "Invalid field: passwordHash: must be a whole Argon2id hash, such as $argon2id$v=19$m=19456,t=2,p=1$SALT$DIGEST with the "
        "salt and the digest in Base64 without padding: it is cut off or damaged");
    const std::string digest = "LmAR2p.qcM7AqzakWYJ1VO6F2t2aeaC6A3VcOvGvYMtzLa3WPcNBy";
    for (const std::string form : {"$2y$14$", "$2b$31$", "$2a$14$"})
        refused(R"(,"passwordHash":")" + form + digest + "\"",
                "Invalid field: passwordHash: must have a cost of bcrypt of at most 13: leave it out and use tradepostctl user "
                "set-password");
    refused(R"(,"organisations":[{"slug":"nobody","role":"ADMIN"}])",
            "Invalid field: organisations: there is no organisation nobody");
    refused(R"(,"organisations":[{"slug":"south-marine","role":"OWNER"}])",
            "Invalid field: organisations: each needs a role, ADMIN or MEMBER");
    refused(R"(,"organisations":[{"slug":"south-marine","role":"ADMIN"},{"organisation":"south-marine","role":"ADMIN"}])",
            "Invalid field: organisations: names south-marine twice");
    refused(R"(,"slug":"a")", "Unknown field: slug");
    BOOST_TEST(import(import_users, R"({"email":"a@b.example","name":"A"})"
                                    "\n"
                                    R"({"email":"A@B.example","name":"B"})") == "2: the email a@b.example is that of line 1 too");
    BOOST_TEST(count("users") == 0);
}

BOOST_AUTO_TEST_CASE(the_highest_cost_of_bcrypt) {
    const std::string hash = "$2y$13$LmAR2p.qcM7AqzakWYJ1VO6F2t2aeaC6A3VcOvGvYMtzLa3WPcNBy";
    BOOST_TEST(import(import_users, R"({"email":"a@b.example","name":"A","passwordHash":")" + hash + "\"}") == "1/0/0");
    BOOST_TEST(value("password_hash FROM users") == hash);
}

BOOST_AUTO_TEST_CASE(another_password_hash_ends_the_sessions) {
    const auto whole = [](const std::string& hash) { return hash + std::string(53 - hash.size(), '.'); };
    const auto imported = [&](const std::string& name, const std::string& hash, const std::string& more = "") {
        return import(import_users, R"({"email":"a@b.example","name":")" + name + R"(","passwordHash":"$2b$10$)" + whole(hash) +
                                        "\"" + more + "}\n" + R"({"email":"b@b.example","name":"B","passwordHash":"$2b$10$)" +
                                        whole("same") + "\"}");
    };
    BOOST_TEST(imported("A", "first") == "2/0/0");
    const auto begin = [&](const std::string& email) {
        const auto user = identity::Users(connection).find_by_email(email).value();
        identity::Sessions(connection).begin(user.id, *user.password_hash, {}, core::SystemClock().now()).value();
    };
    for (const auto* email : {"a@b.example", "a@b.example", "b@b.example"}) begin(email);
    BOOST_TEST(imported("A", "first") == "0/0/2");
    BOOST_TEST(imported("Ann", "first") == "0/1/1");
    BOOST_TEST(import(import_users, R"({"email":"a@b.example","name":"Anna"})") == "0/1/0");
    BOOST_TEST(count("sessions") == 3);
    BOOST_TEST(imported("Anna", "second") == "0/1/1");
    BOOST_TEST(value("GROUP_CONCAT(email) FROM sessions JOIN users ON users.id = user_id") == "b@b.example");
    begin("a@b.example");
    BOOST_TEST(imported("Anna", "second", R"(,"disabledAt":"2026-01-01T00:00:00Z")") == "0/1/1");
    BOOST_TEST(count("sessions") == 1);
}

BOOST_AUTO_TEST_CASE(an_email_of_another_id) {
    import(import_users, R"({"id":"0190a000-0000-7000-8000-000000000001","email":"a@b.example","name":"A"})");
    BOOST_TEST(
        import(import_users, R"({"id":"0190a000-0000-7000-8000-000000000002","email":"A@b.example","name":"A"})") ==
        "1: the email a@b.example belongs to the user 0190a000-0000-7000-8000-000000000001: leave out the id to update that");
    BOOST_TEST(import(import_users, R"({"id":"0190a000-0000-7000-8000-000000000001","email":"new@b.example","name":"A"})") ==
               "0/1/0");
    BOOST_TEST(value("email_key FROM users") == "new@b.example");
}

BOOST_AUTO_TEST_CASE(hashes_are_exported_on_request_only) {
    import(
        import_users,
        R"({"email":"a@b.example","name":"A","passwordHash":"$2b$10$secretghijklmnopqrstuuZqu9oK1OUk0wWn3kJfPvNrcr0CUfdCu","organisations":[{"slug":"south-marine","role":"MEMBER"}]})");
    const auto plain = exported("users");
    BOOST_TEST(plain.find("secret") == std::string::npos);
    BOOST_TEST(import(import_users, plain) == "0/0/1");
    BOOST_TEST(value("password_hash FROM users") == "$2b$10$secretghijklmnopqrstuuZqu9oK1OUk0wWn3kJfPvNrcr0CUfdCu");
    const auto whole = exported("users", {.password_hashes = true});
    connection.execute("DELETE FROM users");
    BOOST_TEST(import(import_users, whole) == "1/0/0");
    BOOST_TEST(exported("users", {.password_hashes = true}) == whole);
}

BOOST_AUTO_TEST_SUITE_END()
