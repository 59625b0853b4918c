#include "support/pictures.h"

#include <openssl/evp.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "core/base64.h"
#include "core/hex.h"
#include "core/text.h"
#include "support/process.h"

namespace tradepost::test {
namespace {

using namespace std::string_literals;

class Folder {
public:
    Folder() : path_((std::filesystem::temp_directory_path() / "tradepost-picture-XXXXXX").string()) {
        if (!mkdtemp(path_.data())) throw std::runtime_error("cannot make " + path_);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

void vips(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"vips"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto done = run_command(all);
    if (done.code != 0) throw std::runtime_error("vips " + arguments[0] + ": " + done.err);
}

std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string big(std::uint64_t number, int bytes) {
    std::string text;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += char(number >> shift);
    return text;
}

// One entry of a TIFF directory (TIFF 6.0, section 2), big-endian.
std::string entry(int tag, int type, std::uint32_t count, const std::string& value) {
    return big(tag, 2) + big(type, 2) + big(count, 4) + value;
}

std::uint32_t crc(const std::string& bytes) {
    std::uint32_t value = 0xffffffff;
    for (const unsigned char byte : bytes) {
        value ^= byte;
        for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xedb88320 ^ value >> 1 : value >> 1;
    }
    return ~value;
}

// Level 0, since libpng calls a short profile that is compressed well "too short".
std::string zlib(const std::string& text) {
    std::string out(compressBound(uLong(text.size())), '\0');
    auto size = uLongf(out.size());
    const auto* const bytes = reinterpret_cast<const Bytef*>(text.data());
    if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, bytes, uLong(text.size()), 0) != Z_OK)
        throw std::runtime_error("compress2");
    return out.substr(0, size);
}

// A segment of a JPEG file (ITU T.81, B.1.1.4), behind its beginning.
std::string with_segment(const std::string& jpeg, char marker, const std::string& content) {
    return jpeg.substr(0, 2) + '\xff' + marker + big(content.size() + 2, 2) + content + jpeg.substr(2);
}

// A chunk of a PNG file (RFC 2083, 3.2), behind its header.
std::string with_png_chunk(const std::string& png, const std::string& name, const std::string& content) {
    constexpr std::size_t header = 8 + 25;
    return png.substr(0, header) + big(content.size(), 4) + name + content + big(crc(name + content), 4) + png.substr(header);
}

std::string little(std::uint64_t number, int bytes) {
    const auto text = big(number, bytes);
    return {text.rbegin(), text.rend()};
}

std::string riff_chunk(const std::string& name, const std::string& content) {
    return name + little(content.size(), 4) + content + std::string(content.size() % 2, '\0');
}

// The picture of a lossless WebP file of in_one_colour(), in the extended form (RFC 9649, 2.7) with a chunk before or behind it.
std::string extended_webp(const std::string& webp, int flags, const std::string& before, const std::string& behind) {
    const auto picture = webp.substr(webp.find("VP8L"));
    std::size_t size = 0;
    for (std::size_t i = 8; i-- > 4;) size = size << 8 | static_cast<unsigned char>(picture[i]);
    const auto canvas = little(std::uint64_t(flags), 4) + little(63, 3) + little(63, 3);
    const auto body = "WEBP" + riff_chunk("VP8X", canvas) + before + riff_chunk("VP8L", picture.substr(8, size)) + behind;
    return "RIFF" + little(body.size(), 4) + body;
}

bool is_jpeg(const std::string& picture) {
    return picture.starts_with("\xff\xd8");
}
bool is_png(const std::string& picture) {
    return picture.starts_with("\x89PNG");
}

}  // namespace

std::string picture(int width, int height, const std::string& name) {
    const Folder folder;
    // Dark above, bright below: which way up it is can be seen.
    vips({"grey", folder.file("grey.v"), std::to_string(height), std::to_string(width), "--uchar"});
    vips({"rot", folder.file("grey.v"), folder.file("down.v"), "d90"});
    vips({"bandjoin", folder.file("down.v") + " " + folder.file("down.v") + " " + folder.file("down.v"), folder.file("rgb.v")});
    vips({"copy", folder.file("rgb.v"), folder.file("srgb.v"), "--interpretation", "srgb"});
    vips({"copy", folder.file("srgb.v"), folder.file(name)});
    return read(folder.file(name.substr(0, name.find('['))));
}

std::string with_exif(const std::string& jpeg, int orientation) {
    const std::string description = "secret place";
    // The header, three entries and the next directory's place: 8 + 2 + 3 × 12 + 4 bytes.
    const std::uint32_t text_at = 50, gps_at = text_at + 14;
    std::string tiff = "MM" + big(42, 2) + big(8, 4) + big(3, 2);
    tiff += entry(0x010e, 2, 13, big(text_at, 4));
    tiff += entry(0x0112, 3, 1, big(std::uint64_t(orientation), 2) + big(0, 2));
    tiff += entry(0x8825, 4, 1, big(gps_at, 4));
    tiff += big(0, 4) + description + std::string(2, '\0');
    const std::uint32_t numbers_at = gps_at + 2 + 2 * 12 + 4;
    tiff += big(2, 2) + entry(0x0001, 2, 2, std::string("N\0\0\0", 4)) + entry(0x0002, 5, 3, big(numbers_at, 4)) + big(0, 4);
    for (const int degrees : {51, 30, 26}) tiff += big(std::uint64_t(degrees), 4) + big(1, 4);
    const std::string block = std::string("Exif\0\0", 6) + tiff;
    return with_segment(jpeg, '\xe1', block);
}

std::string converted(const std::string& bytes, const std::string& name) {
    const Folder folder;
    write(folder.file("from"), bytes);
    vips({"copy", folder.file("from"), folder.file(name)});
    return read(folder.file(name.substr(0, name.find('['))));
}

std::string in_one_colour(const std::vector<int>& colour, const std::string& name) {
    const Folder folder;
    const auto bands = std::to_string(colour.size());
    std::string factors, numbers;
    for (const int band : colour) {
        factors += "1 ";
        numbers += std::to_string(band) + " ";
    }
    vips({"black", folder.file("black.v"), "64", "64", "--bands", bands});
    vips({"linear", folder.file("black.v"), folder.file("filled.v"), factors, numbers, "--uchar"});
    vips({"copy", folder.file("filled.v"), folder.file("named.v"), "--interpretation", colour.size() == 1 ? "b-w" : "srgb"});
    vips({"copy", folder.file("named.v"), folder.file(name)});
    return read(folder.file(name.substr(0, name.find('['))));
}

std::string in_colour_space(const std::string& profile, const std::vector<int>& colour, const std::string& name) {
    const Folder folder;
    write(folder.file("from.v"), in_one_colour(colour, "x.v"));
    vips({"icc_transform", folder.file("from.v"), folder.file(name), profile, "--input-profile", "srgb"});
    return read(folder.file(name.substr(0, name.find('['))));
}

std::string colour_profile(const std::string& profile) {
    const auto bytes = core::from_base64(picture_field(in_colour_space(profile, {0, 0, 0}, "x.jpg"), "icc-profile-data"));
    if (!bytes) throw std::runtime_error("no profile " + profile);
    return *bytes;
}

std::string grey_profile(double gamma) {
    const std::string white = big(0xf6d6, 4) + big(0x10000, 4) + big(0xd32d, 4);
    const std::string point = "XYZ " + big(0, 4) + white,
                      curve = "curv" + big(0, 4) + big(1, 4) + big(std::uint64_t(gamma * 256), 2) + big(0, 2);
    const auto header_size = 128u, point_at = header_size + 4 + 2 * 12, curve_at = point_at + std::uint32_t(point.size());
    std::string header =
        big(curve_at + curve.size(), 4) + "none" + big(0x02100000, 4) + "mntrGRAYXYZ " + std::string(12, '\0') + "acsp";
    header += std::string(28, '\0') + white;
    header.resize(header_size);
    return header + big(2, 4) + "wtpt" + big(point_at, 4) + big(point.size(), 4) + "kTRC" + big(curve_at, 4) + big(14, 4) +
           point + curve;
}

std::string with_profile(const std::string& picture, const std::string& profile, std::size_t segments) {
    if (is_png(picture)) return with_png_chunk(picture, "iCCP", std::string("x\0\0", 3) + zlib(profile));
    if (!is_jpeg(picture)) return extended_webp(picture, 0x20, riff_chunk("ICCP", profile), "");
    auto whole = picture;
    const auto part = profile.size() / segments + 1;
    for (auto i = segments; i-- > 0;)  // each goes before those that are there
        whole = with_segment(whole, '\xe2',
                             std::string("ICC_PROFILE\0", 12) + char(i + 1) + char(segments) + profile.substr(i * part, part));
    return whole;
}

std::string with_text(const std::string& picture, const std::string& text) {
    if (is_png(picture)) return with_png_chunk(picture, "tEXt", std::string("Comment\0", 8) + text);
    if (!is_jpeg(picture)) return extended_webp(picture, 0x04, "", riff_chunk("XMP ", text));
    return with_segment(picture, '\xe1', std::string("http://ns.adobe.com/xap/1.0/\0", 29) + text);
}

std::string png_header(std::uint32_t width, std::uint32_t height) {
    const std::string chunk = "IHDR" + big(width, 4) + big(height, 4) + std::string("\x08\x02\0\0\0", 5);
    return "\x89PNG\r\n\x1a\n" + big(13, 4) + chunk + big(crc(chunk), 4);
}

std::string pdf_of(const std::vector<std::string>& objects, const std::string& trailer) {
    std::string file = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", table = "0000000000 65535 f \n";
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const auto offset = std::to_string(file.size());
        table += std::string(10 - offset.size(), '0') + offset + " 00000 n \n";
        file += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
    }
    const auto count = std::to_string(objects.size() + 1), table_at = std::to_string(file.size());
    return file + "xref\n0 " + count + "\n" + table + "trailer\n<< /Root 1 0 R /Size " + count + " " + trailer +
           " >>\nstartxref\n" + table_at + "\n%%EOF\n";
}

namespace {

const std::string catalogue = "<< /Type /Catalog /Pages 2 0 R >>", pages = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";

// RC4, which OpenSSL has in a module that Debian does not load.
std::string rc4(const std::string& key, std::string text) {
    unsigned char state[256];
    for (int i = 0; i < 256; ++i) state[i] = static_cast<unsigned char>(i);
    for (unsigned i = 0, j = 0; i < 256; ++i) {
        j = (j + state[i] + static_cast<unsigned char>(key[i % key.size()])) & 255;
        std::swap(state[i], state[j]);
    }
    unsigned i = 0, j = 0;
    for (char& byte : text) {
        i = (i + 1) & 255;
        j = (j + state[i]) & 255;
        std::swap(state[i], state[j]);
        byte = char(byte ^ state[(state[i] + state[j]) & 255]);
    }
    return text;
}

// The key of 40 bits that comes of these bytes.
std::string short_key(const std::string& bytes) {
    std::string digest(16, '\0');
    if (!EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), nullptr, EVP_md5(), nullptr))
        throw std::runtime_error("MD5");
    return digest.substr(0, 5);
}

}  // namespace

std::string pdf(const std::string& text, std::size_t size) {
    std::string file;
    for (std::size_t spaces = 0;; spaces += size - file.size()) {
        const auto content = "BT /F1 24 Tf 72 72 Td (" + text + ") Tj ET" + std::string(spaces, ' ');
        file = pdf_of({catalogue, pages, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>",
                       "<< /Length " + std::to_string(content.size()) + " >>\nstream\n" + content + "\nendstream"});
        if (size == 0 || file.size() == size) return file;
    }
}

std::string pdf_with_passwords(const std::string& of_user, const std::string& of_owner) {
    const std::string padding =
        "\x28\xbf\x4e\x5e\x4e\x75\x8a\x41\x64\x00\x4e\x56\xff\xfa\x01\x08\x2e\x2e\x00\xb6\xd0\x68\x3e\x80\x2f\x0c\xa9\xfe\x64\x53\x69\x7a"s;
    const auto padded = [&](const std::string& password) { return (password + padding).substr(0, 32); };
    const auto owner = rc4(short_key(padded(of_owner)), padded(of_user));
    const std::string permissions = "\xfc\xff\xff\xff", id(16, 'x');
    const auto user = rc4(short_key(padded(of_user) + owner + permissions + id), padding);
    const auto hex = [](const std::string& bytes) { return "<" + core::to_hex(bytes) + ">"; };
    return pdf_of({catalogue, pages, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>"},
                  "/ID [" + hex(id) + hex(id) + "] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O " + hex(owner) + " /U " +
                      hex(user) + " >>");
}

std::string base64(const std::string& bytes) {
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
        for (std::size_t k = 0; k < 4; ++k) text += k > bytes.size() - i ? '=' : letters[bits >> (18 - 6 * k) & 63];
    }
    return text;
}

std::string picture_field(const std::string& bytes, const std::string& field) {
    const Folder folder;
    write(folder.file("x"), bytes);
    const auto done = run_command({"vipsheader", "-f", field, folder.file("x")});
    return done.code == 0 ? std::string(core::trim(done.out)) : "";
}

double brightness(const std::string& bytes, int left, int top) {
    const Folder folder;
    write(folder.file("x"), bytes);
    vips({"crop", folder.file("x"), folder.file("part.v"), std::to_string(left), std::to_string(top), "8", "8"});
    return std::atof(run_command({"vips", "avg", folder.file("part.v")}).out.c_str());
}

std::vector<double> pixel(const std::string& bytes, int left, int top) {
    const Folder folder;
    write(folder.file("x"), bytes);
    std::istringstream bands(run_command({"vips", "getpoint", folder.file("x"), std::to_string(left), std::to_string(top)}).out);
    return {std::istream_iterator<double>(bands), {}};
}

}  // namespace tradepost::test
