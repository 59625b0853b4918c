#include "identity/people/users.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "repo/auth_support.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

bool same(const identity::User& a, const identity::User& b) {
    return a.id == b.id && a.email == b.email && a.name == b.name && a.password_hash == b.password_hash &&
           a.disabled_at == b.disabled_at && a.created_at == b.created_at && a.updated_at == b.updated_at;
}

bool is_duplicate(const db::Error& error) {
    return error.is_duplicate_key();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(users_repo, test::AuthFixture)

BOOST_AUTO_TEST_CASE(what_was_stored_is_found) {
    auto user = add_user("Anna@Example.org", "$2y$04$x");
    user.name = "Ünï ☃ 'quoted' \\";
    user.disabled_at = clock.now() + 5ms;
    user.updated_at = clock.now() + 7ms;
    BOOST_TEST(users.update(user));
    BOOST_TEST(same(users.find(user.id).value(), user));
    BOOST_TEST(same(users.find_by_email("Anna@Example.org").value(), user));
    BOOST_TEST(!users.find(core::Uuid::v7(clock.now())));
    BOOST_TEST(!users.find_by_email("ben@example.org"));
    BOOST_TEST(!users.find_by_email(""));
    BOOST_TEST(!users.find_by_email("' OR 1=1 -- "));
}

BOOST_AUTO_TEST_CASE(addresses_compare_trimmed_and_folded) {
    const auto user = add_user("Élodie@Example.org");
    for (const char* email : {"élodie@example.org", "  ÉLODIE@EXAMPLE.ORG\n", "e\xcc\x81lodie@example.org"})
        BOOST_TEST_CONTEXT(email) BOOST_TEST((users.find_by_email(email).value().id == user.id));
    BOOST_TEST(!users.find_by_email("elodie@example.org"));
    BOOST_TEST(users.find(user.id)->email == "Élodie@Example.org");
    add_user("elodie@example.org");
    BOOST_CHECK_EXCEPTION(add_user(" éLODIE@example.org "), db::Error, is_duplicate);
}

BOOST_AUTO_TEST_CASE(an_address_of_another_user_is_refused) {
    const auto anna = add_user("anna@example.org");
    auto ben = add_user("ben@example.org");
    ben.email = "ANNA@example.org";
    BOOST_CHECK_EXCEPTION(users.update(ben), db::Error, is_duplicate);
    BOOST_CHECK_EXCEPTION(users.insert(anna), db::Error, is_duplicate);
    ben.email = "BEN@example.org";
    BOOST_TEST(users.update(ben));
    ben.id = core::Uuid::v7(clock.now());
    BOOST_TEST(!users.update(ben));
}

BOOST_AUTO_TEST_CASE(listing_goes_on_where_it_stopped) {
    for (const char* email : {"c@x.y", "A@x.y", "b@x.y", "D@x.y"}) add_user(email);
    std::string seen;
    for (std::string after;;) {
        const auto page = users.list(after, 3);
        for (const auto& user : page) seen += user.email[0];
        if (page.empty()) break;
        after = page.back().email;
    }
    BOOST_TEST(seen == "AbcD");
}

BOOST_AUTO_TEST_CASE(disabling) {
    const auto user = add_user("anna@example.org"), ben = add_user("ben@example.org");
    BOOST_TEST(users.disable(user.id, clock.now() + 1s));
    BOOST_TEST(users.disable(user.id, clock.now() + 2s));
    BOOST_TEST((users.find(user.id)->disabled_at == clock.now() + 1s));
    BOOST_TEST((users.find(user.id)->updated_at == clock.now() + 1s));
    BOOST_TEST(!users.find(ben.id)->disabled_at);
    BOOST_TEST(!users.disable(core::Uuid::v7(clock.now()), clock.now()));
}

BOOST_AUTO_TEST_CASE(passwords_are_set_and_replaced) {
    const auto user = add_user("anna@example.org", "first"), ben = add_user("ben@example.org", "first");
    BOOST_TEST(users.set_password(user.id, "second", clock.now() + 1s));
    BOOST_TEST((users.find(user.id)->password_hash == "second"));
    BOOST_TEST((users.find(user.id)->updated_at == clock.now() + 1s));
    BOOST_TEST(!users.set_password(core::Uuid::v7(clock.now()), "second", clock.now()));

    BOOST_TEST(!users.replace_password_hash(user.id, "first", "third"));
    BOOST_TEST((users.find(user.id)->password_hash == "second"));
    BOOST_TEST(users.replace_password_hash(user.id, "second", "third"));
    BOOST_TEST((users.find(user.id)->password_hash == "third"));
    BOOST_TEST((users.find(ben.id)->password_hash == "first"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(memberships_repo, test::AuthFixture)

namespace {

core::Uuid add_organisation(db::Connection& connection, const std::string& name, const std::string& slug) {
    const auto id = core::Uuid::v7(test::AuthFixture::start());
    connection.execute("INSERT INTO organisations (id, slug, name, created_at, updated_at) VALUES (?, ?, ?, NOW(3), NOW(3))",
                       {id, slug, name});
    return id;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_users_organisations_by_name) {
    const auto anna = add_user("anna@example.org"), ben = add_user("ben@example.org");
    const auto zebra = add_organisation(connection, "Zebra Ltd", "zebra");
    const auto apple = add_organisation(connection, "apple & sons", "apple");
    const auto eclair = add_organisation(connection, "Éclair", "eclair");
    add_organisation(connection, "Nobody's", "nobodys");
    memberships.add(anna.id, zebra, identity::Role::admin, clock.now());
    memberships.add(anna.id, apple, identity::Role::member, clock.now());
    memberships.add(anna.id, eclair, identity::Role::member, clock.now());
    memberships.add(ben.id, apple, identity::Role::admin, clock.now());

    const auto found = memberships.of_user(anna.id);
    BOOST_REQUIRE(found.size() == 3u);
    BOOST_TEST((found[0].organisation_id == apple && found[0].slug == "apple" && found[0].name == "apple & sons"));
    BOOST_TEST((found[0].role == identity::Role::member));
    BOOST_TEST((found[1].organisation_id == eclair && found[1].name == "Éclair"));
    BOOST_TEST((found[2].organisation_id == zebra && found[2].role == identity::Role::admin));
    BOOST_TEST(memberships.of_user(core::Uuid::v7(clock.now())).empty());
}

BOOST_AUTO_TEST_CASE(roles) {
    const auto anna = add_user("anna@example.org");
    const auto zebra = add_organisation(connection, "Zebra", "zebra"), apple = add_organisation(connection, "Apple", "apple");
    BOOST_TEST(memberships.of_user(anna.id).empty());
    memberships.add(anna.id, zebra, identity::Role::member, clock.now());
    BOOST_TEST((memberships.of_user(anna.id).at(0).role == identity::Role::member));
    memberships.add(anna.id, zebra, identity::Role::admin, clock.now());
    BOOST_TEST((memberships.of_user(anna.id).at(0).role == identity::Role::admin));
    BOOST_TEST(memberships.of_user(anna.id).size() == 1u);

    BOOST_TEST(!memberships.remove(anna.id, apple, clock.now()));
    BOOST_TEST(memberships.remove(anna.id, zebra, clock.now()));
    BOOST_TEST(!memberships.remove(anna.id, zebra, clock.now()));
    BOOST_TEST(memberships.of_user(anna.id).empty());
    BOOST_CHECK_THROW(memberships.add(anna.id, core::Uuid::v7(clock.now()), identity::Role::member, clock.now()), db::Error);
}

BOOST_AUTO_TEST_SUITE_END()
