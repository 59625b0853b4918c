// The whole way of a search, q → tree → tokens → InnoDB, against a scan by the rules (API rules, "Search").
#include "search/engines/search_plan.h"

#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "repo/search_oracle.h"
#include "search/engines/word_match.h"
#include "search/grammar/tokens.h"
#include "support/database.h"
#include "support/rounds.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

using Ids = std::set<std::int64_t>;

struct Fixture {
    test::TestDatabase database;
    db::Connection connection{database.config()};
    std::map<std::int64_t, Document> documents;

    Fixture() {
        connection.execute("CREATE TABLE doc (id BIGINT NOT NULL PRIMARY KEY) ENGINE=InnoDB");
        connection.execute(
            "CREATE TABLE doc_search (doc_id BIGINT NOT NULL PRIMARY KEY, tokens MEDIUMTEXT CHARACTER SET ascii COLLATE "
            "ascii_bin NOT "
            "NULL, FULLTEXT KEY (tokens), FOREIGN KEY (doc_id) REFERENCES doc (id) ON DELETE CASCADE) ENGINE=InnoDB");
    }

    void write(std::int64_t id, Document document) {
        const std::vector<std::string_view> fields(document.fields.begin(), document.fields.end());
        connection.execute("INSERT IGNORE INTO doc VALUES (?)", {id});
        connection.execute("INSERT INTO doc_search VALUES (?, ?) ON DUPLICATE KEY UPDATE tokens = VALUES(tokens)",
                           {id, search::index_tokens(fields)});
        documents[id] = std::move(document);
    }

    void write(std::int64_t id, std::vector<std::string> fields) { write(id, Document{std::move(fields), {}}); }

    void remove(std::int64_t id) {
        connection.execute("DELETE FROM doc WHERE id = ?", {id});
        documents.erase(id);
    }

    // The index finds them by the rarest words.
    std::vector<std::int64_t> ranked(db::Connection& with, std::string_view q) {
        const auto query = search::parse(q);
        std::vector<std::string> texts;
        for (const auto& row : connection.query("SELECT tokens FROM doc_search")) texts.push_back(row.text(0));
        const search::WordSample sample(texts);
        const auto plan = search::plan_search(query, sample, {double(texts.size()), 1e9, true, 0});
        const search::WordMatch match(plan.required, query.excluded, "tokens", plan.found_by);
        BOOST_TEST(match.uses_index());
        db::Sql sql("SELECT doc_id FROM doc_search WHERE ");
        sql.add(match.condition()).add(" ORDER BY ").add(match.score()).add(" DESC, doc_id");
        std::vector<std::int64_t> ids;
        for (const db::Row& row : with.query(sql)) ids.push_back(row.integer(0));
        return ids;
    }

    Ids found(std::string_view q) {
        const auto ids = ranked(connection, q);
        return {ids.begin(), ids.end()};
    }

    Ids scanned(const search::Query& query) const {
        Ids ids;
        for (const auto& [id, document] : documents) {
            const auto all = [&text = document](const std::vector<search::Term>& terms) {
                return std::all_of(terms.begin(), terms.end(), [&](const search::Term& term) { return holds(text, term); });
            };
            if (all(query.required) && std::none_of(query.excluded.begin(), query.excluded.end(), all)) ids.insert(id);
        }
        return ids;
    }

    // `now` says in which state the index is.
    void compare(Generator& generator, int queries, const std::string& now) {
        std::size_t hits = 0;
        for (int i = 0; i < queries; ++i) {
            const Asked asked = generator.asked();
            const Ids wanted = scanned(asked.meaning), got = found(asked.q);
            hits += wanted.size();
            BOOST_TEST((got == wanted), now << ": " << asked.q << ": " << got.size() << " rows, not " << wanted.size());
        }
        BOOST_TEST(hits > std::size_t(queries));  // else nothing was compared
    }

    void churn(Generator& generator, int times) {
        for (int i = 0; i < times; ++i) {
            const auto id = std::int64_t(generator.below(700));
            if (generator.below(4) == 0) {
                remove(id);
            } else {
                write(id, generator.document());
            }
        }
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(search_fulltext, Fixture)

BOOST_AUTO_TEST_CASE(finds_exactly_what_a_scan_finds) {
    Generator generator(20260131);
    db::in_transaction(connection, [&] {
        for (int id = 0; id < 600; ++id) write(id, generator.document());
    });
    compare(generator, rounds(300), "just committed");
    churn(generator, rounds(200));
    compare(generator, rounds(200), "updated and deleted");
    connection.query("OPTIMIZE TABLE doc_search");
    compare(generator, rounds(200), "merged");
    churn(generator, rounds(200));
    compare(generator, rounds(300), "merged and written again");
}

BOOST_AUTO_TEST_CASE(a_word_of_every_document_can_be_asked_for_and_excluded) {
    write(1, {"the golf", "", ""});
    BOOST_CHECK(found("the") == Ids{1});
    BOOST_CHECK(found("golf -the").empty());
    BOOST_CHECK(found("golf -\"the golf\"").empty());
    BOOST_CHECK(found("golf -t*").empty());
    write(2, {"the van"});
    BOOST_CHECK((found("the") == Ids{1, 2}));
    BOOST_CHECK(found("the -golf") == Ids{2});
    BOOST_CHECK(found("van -the -golf").empty());
}

BOOST_AUTO_TEST_CASE(phrases_stay_within_a_field_and_a_title) {
    write(1, {"end begin", "one", "two"});
    BOOST_CHECK(found("\"end begin\"") == Ids{1});
    BOOST_CHECK(found("\"begin end\"").empty());  // the title is indexed several times
    BOOST_CHECK(found("\"begin one\"").empty());
    BOOST_CHECK(found("\"one two\"").empty());
}

BOOST_AUTO_TEST_CASE(a_match_in_the_title_comes_first) {
    for (int id = 10; id < 30; ++id) write(id, {"other", "unrelated text", ""});
    write(1, {"repairs", "we mend a van", ""});
    write(2, {"van", "we mend things", ""});
    write(3, {"things", "a van and another van", ""});
    BOOST_CHECK((ranked(connection, "van") == std::vector<std::int64_t>{2, 3, 1}));
}

BOOST_AUTO_TEST_CASE(what_is_committed_is_found_by_everyone_at_once) {
    db::Connection other(database.config());
    write(1, {"golf"});
    BOOST_TEST(ranked(other, "golf").size() == 1u);
    {
        db::Transaction transaction(connection);
        write(1, {"van"});
        write(2, {"van"});
        BOOST_TEST(ranked(other, "golf").size() == 1u);
        BOOST_TEST(ranked(other, "van").empty());
        transaction.commit();
    }
    BOOST_TEST(ranked(other, "golf").empty());
    BOOST_TEST(ranked(other, "van").size() == 2u);
    {
        db::Transaction transaction(connection);
        write(2, {"lorry"});
        remove(1);
    }
    BOOST_TEST(ranked(other, "lorry").empty());
    BOOST_TEST(ranked(other, "van").size() == 2u);
    remove(1);
    BOOST_TEST(ranked(other, "van").size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_longest_queries_work) {
    std::string text, letters, ideographs, expanding, exclusions, prefix_exclusions, phrases;
    for (int i = 0; i < 100; ++i) text += std::string(1, char('a' + i % 26)) + char('a' + i / 26) + ' ';
    for (char c = 'a'; c < 'a' + int(search::most_terms); ++c) letters += std::string(1, c) + ' ';
    for (int i = 0; i < 200; ++i) ideographs += i % 2 ? "日" : "本";
    for (int i = 0; i < 200; ++i) expanding += "㍿";  // four ideographs each
    for (std::size_t i = 1; i < search::most_terms; ++i) {
        exclusions += " -" + std::to_string(i);
        prefix_exclusions += " -" + std::string(1, char('a' + i)) + "z*";
        phrases += "\"a " + std::string(1, char('a' + i)) + "\" ";
    }
    write(1, {"", text, ""});
    write(2, {"", letters, ""});
    write(3, {"", ideographs, ""});
    write(4, {"", expanding, ""});
    BOOST_CHECK(found('"' + text + '"') == Ids{1});
    BOOST_CHECK(found(letters) == Ids{2});
    BOOST_CHECK(found(ideographs) == Ids{3});
    BOOST_CHECK(found(expanding) == Ids{4});
    BOOST_CHECK((found(ideographs.substr(0, 30)) == Ids{3}));
    BOOST_CHECK(found("a" + exclusions) == Ids{2});
    BOOST_CHECK(found("a" + prefix_exclusions) == Ids{2});
    BOOST_CHECK(found(phrases).empty());
    BOOST_CHECK(found(std::string(200, 'x')).empty());
    BOOST_CHECK(found(std::string(199, 'x') + '*').empty());
}

BOOST_AUTO_TEST_SUITE_END()
