// What an answer does to a delivery, by the kind of the message, and how long the next attempt waits.
#include "deliver/policy.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "outbox/queue.h"

using namespace tradepost;
using namespace std::chrono_literals;
using deliver::Verdict;

namespace {

const char* name(Verdict verdict) {
    switch (verdict) {
        case Verdict::taken:
            return "taken";
        case Verdict::gone:
            return "gone";
        case Verdict::refused:
            return "refused";
        case Verdict::later:
            return "later";
    }
    return "";
}

struct Row {
    net::Answer answer;
    const char *webhook, *push, *image;
};

net::Answer answered(int status) {
    net::Answer answer;
    answer.status = status;
    return answer;
}

net::Answer failure(bool refused, bool too_large) {
    net::Answer answer;
    answer.failure = "why";
    answer.refused = refused;
    answer.too_large = too_large;
    return answer;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(delivery_policy)

BOOST_AUTO_TEST_CASE(what_an_answer_does) {
    const Row rows[] = {
        {answered(200), "taken", "taken", "taken"},
        {answered(201), "taken", "taken", "taken"},
        {answered(204), "taken", "taken", "taken"},
        {answered(301), "later", "refused", "refused"},
        {answered(302), "later", "refused", "refused"},
        {answered(400), "later", "refused", "refused"},
        {answered(401), "later", "refused", "refused"},
        {answered(403), "later", "refused", "refused"},
        {answered(404), "later", "gone", "refused"},
        {answered(408), "later", "later", "later"},
        {answered(410), "gone", "gone", "refused"},
        {answered(413), "later", "refused", "refused"},
        {answered(425), "later", "later", "later"},
        {answered(429), "later", "later", "later"},
        {answered(500), "later", "later", "later"},
        {answered(503), "later", "later", "later"},
        {answered(599), "later", "later", "later"},
        {failure(false, false), "later", "later", "later"},
        {failure(true, false), "later", "refused", "refused"},
        {failure(false, true), "later", "refused", "refused"},
    };
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.answer.status << " " << row.answer.refused << row.answer.too_large) {
            BOOST_TEST(name(judge(deliver::webhook_policy, row.answer)) == std::string(row.webhook));
            BOOST_TEST(name(judge(deliver::push_policy, row.answer)) == std::string(row.push));
            BOOST_TEST(name(judge(deliver::image_policy, row.answer)) == std::string(row.image));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_pause_counts_where_it_is_longer_than_the_back_off_and_up_to_six_hours) {
    struct Pause {
        std::uint32_t attempt;
        std::chrono::seconds asked, least, most;
    };
    for (const auto& [attempt, asked, least, most] : {Pause{1, 120s, 120s, 120s},
                                                      {1, 0s, 0s, 2s},
                                                      {12, 1s, 1638s, 2458s},
                                                      {1, 6h, 6h, 6h},
                                                      {1, 6h + 1s, 6h, 6h},
                                                      {1, std::chrono::seconds::max(), 6h, 6h}}) {
        const auto wait = outbox::wait_after(attempt, asked);
        BOOST_TEST(wait >= least, attempt << " " << asked.count());
        BOOST_TEST(wait <= most, attempt << " " << asked.count());
    }
    BOOST_TEST(outbox::wait_after(1, {}) <= 1200ms);
}

BOOST_AUTO_TEST_SUITE_END()
