// PDFs that buyers can open, and others.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "files/intake.h"
#include "support/pictures.h"
#include "support/refusal.h"

using namespace tradepost;

namespace {

struct Folder {
    Folder() { BOOST_REQUIRE(mkdtemp(path.data())); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path = "/tmp/tradepost-pdf-XXXXXX";
};

constexpr const char* catalogue = "<< /Type /Catalog /Pages 2 0 R >>";
constexpr const char* page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>";

}  // namespace

BOOST_AUTO_TEST_SUITE(pdf_pages)

BOOST_AUTO_TEST_CASE(what_buyers_cannot_open_is_refused) {
    const std::string accepted = "accepted", password = "400 Invalid field: data: must be a PDF that opens without a password",
                      unreadable = "400 Invalid field: data: must be a PDF with pages that can be read";
    const std::string whole = test::pdf();
    const struct {
        const char* name;
        std::string bytes, becomes;
    } rows[] = {
        {"one page", whole, accepted},
        {"its header behind other bytes", "HTTP/1.1 200 OK\r\n\r\n" + whole, accepted},
        {"its table of objects missing",
         "%PDF-1.4\n" + whole.substr(whole.find("1 0 obj"), whole.find("xref") - whole.find("1 0 obj")) +
             "trailer\n<< /Root 1 0 R >>\n%%EOF\n",
         accepted},
        {"the owner's password", test::pdf_with_passwords("", "secret"), accepted},
        {"the user's password", test::pdf_with_passwords("secret", "secret"), password},
        {"a scheme of another program",
         test::pdf_of({catalogue, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page},
                      "/ID [<00> <00>] /Encrypt << /Filter /Adobe.PubSec /V 4 >>"),
         password},
        {"its header and its end", "%PDF-1.4\n%%EOF\n", unreadable},
        {"no objects", "%PDF-1.4\nHello\n%%EOF\n", unreadable},
        {"no pages", test::pdf_of({catalogue, "<< /Type /Pages /Kids [] /Count 0 >>"}), unreadable},
        {"fewer pages than it says", test::pdf_of({catalogue, "<< /Type /Pages /Kids [] /Count 3 >>"}), unreadable},
        {"no catalogue", test::pdf_of({page}), unreadable},
    };
    const Folder folder;
    const files::Store store(folder.path);
    for (const auto& [name, bytes, becomes] : rows)
        BOOST_TEST(test::refusal([&] { files::prepare(store, bytes, "application/pdf", "data"); }) == becomes, name);
}

BOOST_AUTO_TEST_SUITE_END()
