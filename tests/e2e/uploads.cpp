// Uploads as a dealer's software and a browser meet them: both ways in, what is stored, and how nginx serves it.
#include "support/uploads.h"

#include <filesystem>

#include "core/crypto.h"
#include "e2e/checks.h"
#include "support/pictures.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

json uploaded(const Dealer& dealer, const std::string& bytes, const std::string& type, const std::string& name = "a file") {
    const auto answer = DealerClient(stack(), dealer).send("POST", "/api/v1/uploads", small_upload(bytes, type, name));
    BOOST_REQUIRE_MESSAGE(answer.status == 201, answer.body);
    return answer.json()["data"];
}

Answer fetch(const json& url, Headers headers = {}, const std::string& method = "GET") {
    return Client(stack().site()).send({.method = method, .target = url.get<std::string>(), .headers = std::move(headers)});
}

void check_served(const Answer& answer, const std::string& type) {
    BOOST_TEST(answer.header("content-type").value_or("") == type);
    BOOST_TEST(answer.header("cache-control").value_or("") == "public, max-age=31536000, immutable");
    BOOST_TEST(answer.header("content-security-policy").value_or("") == "default-src 'none'; sandbox; frame-ancestors 'none'");
    BOOST_TEST(answer.header("x-content-type-options").value_or("") == "nosniff");
    BOOST_TEST(answer.header("accept-ranges").value_or("bytes") == "bytes");
    for (const auto* name :
         {"x-request-id", "cache-control", "content-type", "content-security-policy", "x-content-type-options"})
        BOOST_TEST(answer.count(name) == 1u, name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(uploads)

BOOST_AUTO_TEST_CASE(each_kind_of_picture_is_stored_with_a_thumbnail_and_served) {
    const auto dealer = add_dealer(stack());
    for (const auto& [type, ending] : std::vector<std::pair<std::string, std::string>>{
             {"image/jpeg", "jpg"}, {"image/png", "png"}, {"image/webp", "webp"}, {"image/webp", "webp[lossless]"}}) {
        BOOST_TEST_CONTEXT(type << " " << ending) {
            const auto upload = uploaded(dealer, picture(900, 600, "x." + ending), type, "Van é \U0001F69A.bin ");
            BOOST_TEST(upload["status"] == "READY");
            BOOST_TEST(upload["filename"] == "Van é \U0001F69A.bin ");
            BOOST_TEST(upload["contentType"] == type);
            BOOST_TEST(upload["width"] == 900);
            BOOST_TEST(upload["height"] == 600);
            BOOST_TEST(upload["uploadUrl"].is_null());
            const auto served = fetch(upload["url"]);
            BOOST_TEST(served.status == 200);
            check_served(served, type);
            BOOST_TEST(!served.header("content-disposition"));
            BOOST_TEST(upload["size"] == served.body.size());
            BOOST_TEST(upload["sha256"] == core::to_hex(core::sha256(served.body)));
            BOOST_TEST(picture_field(served.body, "width") == "900");
            const auto thumbnail = fetch(upload["thumbnailUrl"]);
            BOOST_TEST(thumbnail.status == 200);
            check_served(thumbnail, "image/webp");
            BOOST_TEST(picture_field(thumbnail.body, "width") == "400");
            BOOST_TEST(picture_field(thumbnail.body, "vips-loader") == "webpload");
        }
    }
}

BOOST_AUTO_TEST_CASE(metadata_goes_and_the_picture_stays_upright) {
    const auto dealer = add_dealer(stack());
    // Lying on its side: to be turned by 90° to the right.
    const auto jpeg = with_exif(picture(640, 480), 6);
    for (const auto& [type, ending] :
         std::vector<std::pair<std::string, std::string>>{{"image/jpeg", "jpg"}, {"image/png", "png"}, {"image/webp", "webp"}}) {
        BOOST_TEST_CONTEXT(type) {
            const auto sent = type == "image/jpeg" ? jpeg : converted(jpeg, "x." + ending);
            BOOST_TEST(picture_field(sent, "orientation") == "6");
            BOOST_TEST(picture_field(sent, "exif-ifd3-GPSLatitude") != "");
            const auto upload = uploaded(dealer, sent, type);
            BOOST_TEST(upload["width"] == 480);
            BOOST_TEST(upload["height"] == 640);
            for (const auto* url : {"url", "thumbnailUrl"}) {
                const auto served = fetch(upload[url]).body;
                for (const auto* text : {"Exif", "EXIF", "eXIf", "iCCP", "ICCP", "tEXt", "GPS", "secret"})
                    BOOST_TEST(served.find(text) == std::string::npos, text << " in " << url);
                const auto turned = picture_field(served, "orientation");
                BOOST_TEST((turned.empty() || turned == "1"));
                // What was above, which is dark, is now at the right.
                BOOST_TEST(brightness(served, 380, 200) < 60);
                BOOST_TEST(brightness(served, 8, 200) > 190);
            }
        }
    }
}

// Their profile goes with the other metadata, so the numbers must be those of sRGB, which is what a picture without a profile has.
BOOST_AUTO_TEST_CASE(colours_of_another_profile_are_those_of_srgb) {
    const auto dealer = add_dealer(stack());
    for (const auto& [type, ending] :
         std::vector<std::pair<std::string, std::string>>{{"image/jpeg", "jpg"}, {"image/png", "png"}, {"image/webp", "webp"}}) {
        BOOST_TEST_CONTEXT(type) {
            const auto sent = in_colour_space("p3", {200, 40, 40}, "x." + ending);
            BOOST_TEST(pixel(sent, 30, 30).at(0) < 185);
            const auto upload = uploaded(dealer, sent, type);
            for (const auto* url : {"url", "thumbnailUrl"}) {
                const auto served = fetch(upload[url]).body;
                BOOST_TEST(picture_field(served, "icc-profile-data") == "", url);
                const auto red = pixel(served, 30, 30);
                BOOST_TEST((red.size() >= 3 && red[0] > 190 && red[1] < 48), url << ": " << red.at(0) << " " << red.at(1));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(small_pictures_are_not_enlarged) {
    const auto upload = uploaded(add_dealer(stack()), picture(30, 20, "x.png"), "image/png");
    BOOST_TEST(picture_field(fetch(upload["thumbnailUrl"]).body, "width") == "30");
}

BOOST_AUTO_TEST_CASE(a_pdf_is_saved_under_its_name) {
    const auto dealer = add_dealer(stack());
    const auto bytes = pdf("brochure");
    const auto upload = uploaded(dealer, bytes, "application/pdf", "Prospekt „50 %“; a\".pdf");
    BOOST_TEST(upload["size"] == bytes.size());
    BOOST_TEST(upload["thumbnailUrl"].is_null());
    BOOST_TEST(upload["width"].is_null());
    const auto served = fetch(upload["url"]);
    BOOST_TEST(served.status == 200);
    BOOST_TEST(served.body == bytes);
    check_served(served, "application/pdf");
    BOOST_TEST(served.header("content-disposition").value_or("") ==
               "attachment; filename=\"document.pdf\"; filename*=UTF-8''Prospekt%20%e2%80%9e50%20%25%e2%80%9c%3b%20a%22.pdf");

    // The same bytes under another name: stored once, saved as that.
    const auto other = uploaded(dealer, bytes, "application/pdf", "page.hta");
    BOOST_TEST(other["sha256"] == upload["sha256"]);
    BOOST_TEST(fetch(other["url"]).header("content-disposition").value_or("").ends_with("''page.hta.pdf"));
    BOOST_TEST(stored_files(stack(), upload["sha256"].get<std::string>()) == 1);

    const std::string plain = upload["url"].get<std::string>().substr(0, std::string("/uploads/hh/").size() + 64 + 4);
    for (const std::string& address : {plain, plain + "/x(1).pdf", plain + "/x's.pdf", plain + "?x",
                                       "/uploads/." + plain.substr(8), plain.substr(0, plain.size() - 1) + "%66"}) {
        const auto saved = fetch(address);
        BOOST_TEST_CONTEXT(address) check_served(saved, "application/pdf");
        BOOST_TEST(saved.header("content-disposition").value_or("") == "attachment", address);
    }
    BOOST_TEST(fetch(plain + "/x.pd%66").header("content-disposition").value_or("").ends_with("''x.pd%66"));
    // A path that openapi.yaml does not know, so not by a client of these tests.
    BOOST_TEST(run_command({"curl", "--silent", "--noproxy", "*", "--head", "--cacert", stack().site().ca_file,
                            stack().site().url + "/" + plain})
                   .out.find("\r\ncontent-disposition: attachment\r\n") != std::string::npos);
    for (const auto* name : {"/x.hta", "/x.pdf/y.pdf", "/", "/x.pdf.exe", "/.pdf%0d%0aX-A:%20b"})
        BOOST_TEST(fetch(plain + name).status == 404, name);
}

BOOST_AUTO_TEST_CASE(parts_conditions_and_other_methods) {
    const auto upload = uploaded(add_dealer(stack()), picture(300, 200), "image/jpeg");
    const auto whole = fetch(upload["url"]);
    const auto part = fetch(upload["url"], {{"Range", "bytes=2-5"}});
    BOOST_TEST(part.status == 206);
    BOOST_TEST(part.body == whole.body.substr(2, 4));
    check_served(part, "image/jpeg");
    const auto past = fetch(upload["url"], {{"Range", "bytes=99999999-"}});
    BOOST_TEST(past.status == 416);
    BOOST_TEST(past.body == "{\"error\":\"Range not satisfiable\"}");
    BOOST_TEST(past.header("content-type").value_or("") == "application/json; charset=utf-8");
    BOOST_TEST(past.count("content-security-policy") == 1u);
    BOOST_TEST(past.header("content-security-policy").value_or("") ==
               "default-src 'none'; sandbox; frame-ancestors 'none'");  // the file's
    BOOST_TEST(fetch(upload["url"], {{"If-None-Match", *whole.header("etag")}}).status == 304);
    const auto head = fetch(upload["url"], {}, "HEAD");
    BOOST_TEST(head.status == 200);
    BOOST_TEST(head.header("content-length").value_or("") == std::to_string(whole.body.size()));
    for (const auto* method : {"POST", "PUT", "DELETE", "PATCH", "TRACE"}) {
        const auto refused = fetch(upload["url"], {}, method);
        check_refused(refused, 405, "Method not allowed");
        BOOST_TEST(refused.header("allow").value_or("") == "GET, HEAD, OPTIONS", method);
    }
    BOOST_TEST(fetch(upload["url"], {}, "OPTIONS").body == "{\"data\":{}}");
}

BOOST_AUTO_TEST_CASE(nothing_else_is_served) {
    const auto upload = uploaded(add_dealer(stack()), picture(50, 50), "image/jpeg");
    const std::string url = upload["url"], folder = url.substr(0, 12);
    const std::string directory = stack().config().uploads.directory;
    const std::string file = directory + url.substr(8);
    const std::string name(64, 'e');
    std::filesystem::create_directories(directory + "/ee");
    std::filesystem::create_symlink(file, directory + "/ee/" + name + ".jpg");
    std::filesystem::copy_file(file, directory + "/ee/" + name + ".php", std::filesystem::copy_options::overwrite_existing);
    for (const auto& path :
         std::vector<std::string>{"/uploads/", "/uploads", folder, folder.substr(0, 11), "/uploads/ee/" + name + ".php",
                                  "/uploads/incoming/", "/uploads/" + std::string("work/"), folder + "../../tradepost.toml",
                                  folder + "..%2f..%2ftradepost.toml", url + "/", url + ".bak", url + "%00"})
        BOOST_TEST((fetch(path).status == 404 || fetch(path).status == 400), path);
    // A link is not followed.
    check_refused(fetch("/uploads/ee/" + name + ".jpg"), 403, "Forbidden");
    std::filesystem::remove(directory + "/ee/" + name + ".jpg");
    std::filesystem::remove(directory + "/ee/" + name + ".php");
    check_refused(fetch("/uploads/ee/" + name + ".jpg"), 404, "Not found");
    BOOST_TEST(!fetch("/uploads/ee/" + name + ".jpg").header("cache-control"));
}

BOOST_AUTO_TEST_CASE(a_large_file_goes_by_ticket) {
    const auto dealer = add_dealer(stack());
    std::string bytes = pdf(core::to_hex(core::random_bytes(8)));
    bytes.insert(bytes.size() - 20, std::string(20 << 20, 'x'));
    const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf", "large.pdf");
    BOOST_TEST(ticket.starts_with("/upload/"));

    // What is wrong does not spend it, and leaves nothing.
    const int before = stored_files(stack());
    auto wrong = bytes;
    wrong[1000] ^= 1;
    check_refused(put_bytes(stack(), ticket, wrong), 400, "Invalid field: sha256: must be the hash of the bytes in the body");
    check_refused(put_bytes(stack(), ticket, bytes.substr(1)), 400,
                  "Invalid field: size: must be the number of bytes in the body");
    check_refused(put_bytes(stack(), ticket, ""), 400, "Invalid field: body: must not be empty");
    check_refused(put_bytes(stack(), ticket, bytes, {{"Authorization", "Bearer " + std::string(64, 'a')}}), 401, "Unauthorized");
    check_refused(put_bytes(stack(), ticket, bytes, {{"Authorization", "Bearer " + add_colleague(stack(), dealer).token}}), 403,
                  "Forbidden");
    // nginx removes what the worker did not take once its answer is out.
    BOOST_TEST(await([&] { return stored_files(stack()) == before; }));

    const auto answer = put_bytes(stack(), ticket, bytes, {{"Authorization", "Bearer " + dealer.token}});
    BOOST_REQUIRE_MESSAGE(answer.status == 200, answer.body);
    check_conventions(answer);
    const auto upload = answer.json()["data"];
    BOOST_TEST(upload["status"] == "READY");
    BOOST_TEST(upload["uploadUrl"].is_null());
    BOOST_TEST(fetch(upload["url"]).body == bytes);
    BOOST_TEST(await([&] { return stored_files(stack()) == before + 1; }));
    check_refused(put_bytes(stack(), ticket, bytes), 409, "Conflict: ticket is spent");
    DealerClient client(stack(), dealer);
    BOOST_TEST(client.get("/api/v1/uploads/" + upload["id"].get<std::string>()).json()["data"] == upload);
}

BOOST_AUTO_TEST_CASE(a_ticket_works_once_however_many_use_it) {
    const auto dealer = add_dealer(stack());
    const auto bytes = picture(700, 500);
    const auto ticket = ticket_for(stack(), dealer, bytes, "image/jpeg");
    const auto answers = in_parallel<Answer>(8, [&](std::size_t) { return put_bytes_once(stack(), ticket, bytes); });
    int ready = 0, spent = 0;
    for (const auto& answer : answers) {
        ready += answer.status == 200;
        if (answer.status == 200) {
            // The picture that was made of the bytes, not they.
            const auto upload = answer.json()["data"];
            BOOST_TEST(upload["sha256"] == core::to_hex(core::sha256(fetch(upload["url"]).body)));
        }
        spent += answer.status == 409 &&
                 (answer.error() == "Conflict: ticket is spent" || answer.error() == "Conflict: ticket is in use");
    }
    BOOST_TEST(ready == 1);
    BOOST_TEST(spent == 7);
}

BOOST_AUTO_TEST_CASE(forged_tickets_open_nothing) {
    const auto dealer = add_dealer(stack());
    const auto bytes = pdf("forged");
    auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
    for (const std::size_t at : {8u, 20u, 40u, 70u}) {
        auto other = ticket;
        other[at] = other[at] == 'A' ? 'B' : 'A';
        check_refused(put_bytes(stack(), other, bytes), 404, "Not found");
    }
    for (const auto& other : {ticket.substr(0, 71), ticket + "A", std::string("/upload/"), std::string("/upload"), ticket + "/"})
        check_refused(put_bytes(stack(), other, bytes), 404, "Not found");
    const auto get = Client(stack().site()).get(ticket);
    check_refused(get, 405, "Method not allowed");
    BOOST_TEST(get.header("allow").value_or("") == "PUT, OPTIONS");
    BOOST_TEST(put_bytes(stack(), ticket, bytes).status == 200);
}

BOOST_AUTO_TEST_CASE(equal_content_is_stored_once_and_stays_until_the_last_is_deleted) {
    const auto first = add_dealer(stack()), second = add_dealer(stack());
    const auto bytes = picture(321, 123);
    const auto a = uploaded(first, bytes, "image/jpeg"), b = uploaded(second, bytes, "image/jpeg");
    BOOST_TEST(a["url"] == b["url"]);
    BOOST_TEST(a["id"] != b["id"]);
    BOOST_TEST(stored_files(stack(), a["sha256"].get<std::string>()) == 2);
    const auto remove = [](const Dealer& dealer, const json& upload) {
        return DealerClient(stack(), dealer).send("DELETE", "/api/v1/uploads/" + upload["id"].get<std::string>()).status;
    };
    BOOST_TEST(remove(first, a) == 200);
    BOOST_TEST(fetch(b["url"]).status == 200);
    BOOST_TEST(remove(second, b) == 200);
    BOOST_TEST(fetch(b["url"]).status == 404);
    BOOST_TEST(stored_files(stack(), a["sha256"].get<std::string>()) == 0);
}

BOOST_AUTO_TEST_CASE(pictures_of_stock_and_logos) {
    const auto dealer = add_dealer(stack());
    DealerClient client(stack(), dealer);
    const auto one = uploaded(dealer, picture(200, 100), "image/jpeg"), two = uploaded(dealer, picture(100, 200), "image/jpeg");
    const auto item =
        client.send("POST", "/api/v1/stock",
                    {{"reference", "U-1"}, {"title", "Van"}, {"images", {{{"uploadId", two["id"]}}, {{"uploadId", one["id"]}}}}});
    BOOST_REQUIRE_EQUAL(item.status, 201);
    const auto images = item.json()["data"]["images"];
    BOOST_TEST(images[0]["url"] == two["url"]);
    BOOST_TEST(images[1]["thumbnailUrl"] == one["thumbnailUrl"]);
    check_refused(client.send("DELETE", "/api/v1/uploads/" + one["id"].get<std::string>()), 409, "Conflict: upload is attached");
    const auto account = client.send("PATCH", "/api/v1/accounts", {{"logoUploadId", one["id"]}});
    BOOST_TEST(account.json()["data"]["logoUrl"] == one["url"]);
}

BOOST_AUTO_TEST_SUITE_END()
