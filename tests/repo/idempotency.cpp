// A POST whose answer is lost after its commit: sent again, it does nothing and gets the first answer.
#define BOOST_TEST_DYN_LINK
#include "writes/idempotency.h"

#include <boost/test/unit_test.hpp>

#include "core/crypto.h"
#include "repo/enquiry_support.h"
#include "support/database_proxy.h"
#include "writes/transaction.h"

using namespace tradepost;

namespace {

struct Fixture : test::Enquirers {
    test::DatabaseProxy proxy{database.config()};

    // What a POST does, through a connection of its own as in another worker. `lost`: the answer to its COMMIT does not arrive.
    std::string post(const std::string& body, bool lost = false) {
        db::Connection own(proxy.config());
        const auto answer = db::in_transaction(own, [&] {  // so that COMMIT is the next statement
            writes::IdempotencyKeys keys(own, sender, "key", core::sha256("request"));
            if (auto kept = keys.begin(start, 1000)) return *kept;
            own.execute(
                "INSERT INTO enquiries (id, organisation_id, type, name, message, status, created_at, updated_at) VALUES (?, ?, "
                "'GENERAL', 'N', 'M', 'NEW', ?, ?)",
                {core::Uuid::v7(start), organisations[0], start, start});
            const writes::KeptAnswer made{201, "{}", body};
            keys.finish(made);
            if (lost) proxy.swallow_next_answer();
            return made;
        });
        return answer.body;
    }
    std::int64_t rows() { return connection.query("SELECT COUNT(*) FROM enquiries").at(0).integer(0); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(idempotency, Fixture)

BOOST_AUTO_TEST_CASE(what_was_committed_is_answered_again) {
    BOOST_CHECK_THROW(post("first", true), db::Unavailable);
    BOOST_TEST(rows() == 1);
    BOOST_TEST(post("second") == "first");
    BOOST_TEST(rows() == 1);
}

BOOST_AUTO_TEST_CASE(what_was_not_committed_is_done) {
    db::Connection own(proxy.config());
    const auto cut_short = [&](writes::WriteTransaction& transaction) {
        writes::IdempotencyKeys(own, sender, "key", core::sha256("request")).begin(start, 1000);
        proxy.cut();
        enquiries::EnquiryWriter(transaction).insert(enquiry(organisations[0], sender, start));
    };
    BOOST_CHECK_THROW(writes::write(own, cut_short), db::Unavailable);
    BOOST_TEST(rows() == 0);
    BOOST_TEST(post("second") == "second");
    BOOST_TEST(rows() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
