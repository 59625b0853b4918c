#include "files/intake.h"

#include <magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "files/child.h"
#include "files/files.h"
#include "files/image_header.h"
#include "files/inspection.h"
#include "files/webp.h"
#include "http/error.h"

namespace tradepost::files {
namespace {

constexpr std::size_t magic_bytes = 64 << 10;
constexpr std::chrono::seconds time_for_children{20};

// A file that nobody changes, mapped into memory.
class MappedFile {
public:
    explicit MappedFile(const std::string& path) {
        const auto file = open_file(path, O_RDONLY);
        struct stat status {};
        if (fstat(file.get(), &status) != 0) fail(path);
        size_ = std::size_t(status.st_size);
        if (size_ == 0) return;
        address_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
        if (address_ == MAP_FAILED) fail("mmap " + path);
        madvise(address_, size_, MADV_RANDOM);
    }
    ~MappedFile() {
        if (size_ > 0) munmap(address_, size_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    std::string_view text() const { return {static_cast<const char*>(address_), size_}; }

private:
    void* address_ = nullptr;
    std::size_t size_ = 0;
};

// The type that libmagic finds. Its database is read once in a process.
std::string magic_type(std::string_view head) {
    static const magic_t cookie = [] {
        const magic_t made = magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS | MAGIC_NO_CHECK_ELF | MAGIC_NO_CHECK_TAR);
        if (!made || magic_load(made, nullptr) != 0)
            throw std::runtime_error("libmagic cannot read its database: install libmagic-mgc");
        return made;
    }();
    const char* type = magic_buffer(cookie, head.data(), head.size());
    return type ? type : "";
}

// A file from the header of a PDF on, which readers accept anywhere in the first 1,024 bytes (PDF Reference 1.7, appendix H, note 13); empty when there
// is none. What comes before it, such as a line break or headers of a message, stays in the file.
std::string_view from_pdf_header(std::string_view file) {
    const auto at = file.substr(0, 1024).find("%PDF-");
    return at == std::string_view::npos ? std::string_view() : file.substr(at);
}

// Whether a file that begins with the header of a PDF has its end too (ISO 32000-1, 7.5.2 and 7.5.5).
bool is_whole_pdf(std::string_view file) {
    const auto tail = file.substr(file.size() - std::min<std::size_t>(file.size(), 1024));
    return (file.starts_with("%PDF-1.") || file.starts_with("%PDF-2.")) && tail.find("%%EOF") != std::string_view::npos;
}

struct FileType {
    std::string content_type;
    std::optional<ImageHeader> image;
};

static_assert(max_pixels / 1'000'000 == 67, "clients are told so");

FileType detect_type(std::string_view file, std::string_view content_type, const std::string& field) {
    const auto image = read_image_header(file);
    const auto pdf = image ? std::string_view() : from_pdf_header(file);
    if (!image && pdf.empty()) throw http::invalid_field(field, "must be a JPEG, PNG or WebP picture or a PDF");
    const FileType type{image ? image->content_type : "application/pdf", image};
    // Two readers that disagree about the type would show different things.
    const auto as_whole = magic_type(file.substr(0, magic_bytes));
    const bool agrees =
        as_whole == type.content_type || (!image && (as_whole == "text/plain" || as_whole == "application/octet-stream") &&
                                          magic_type(pdf.substr(0, magic_bytes)) == type.content_type);
    if (!agrees) throw http::invalid_field(field, "must be a JPEG, PNG or WebP picture or a PDF");
    if (type.content_type != content_type) throw http::invalid_field("contentType", "must be what the bytes are");
    if (!image && !is_whole_pdf(pdf)) throw http::invalid_field(field, "must be a whole PDF");
    if (image && image->pixels() > max_pixels) throw http::invalid_field(field, "must have at most 67 megapixels");
    return type;
}

bool disk_is_full(const std::string& path, const std::string& messages) {
    struct statvfs space {};
    return messages.find("No space left") != std::string::npos ||
           (statvfs(path.c_str(), &space) == 0 && space.f_bavail * space.f_frsize < (64u << 10));
}

// How the colours of a picture become those of sRGB.
enum class Colours { as_they_are, by_profile };

// Encodes a picture again: no larger than the box, upright, in sRGB, without metadata. A truncated file is an error.
ChildResult encode(const Work& work, const std::string& from, const std::string& to, const char* width, const char* height,
                   Colours colours, std::chrono::steady_clock::time_point deadline) {
    ChildLimits limits;
    limits.deadline = deadline;
    std::vector<std::string> command{vips_program, "thumbnail", from,   to,          width,  "--height",
                                     height,       "--size",    "down", "--fail-on", "error"};
    // Without a profile, vips would take this option for a conversion from a space that is not sRGB.
    if (colours == Colours::by_profile) command.insert(command.end(), {"--export-profile", "srgb"});
    return run_child(command, work.path(), limits);
}

void check_encoded(const Work& work, const ChildResult& result, const std::string& field) {
    if (result.end == ChildEnd::succeeded) return;
    if (result.end == ChildEnd::timed_out) throw Undecodable(http::service_unavailable("decoding a picture took too long"));
    if (disk_is_full(work.path(), result.messages)) throw http::service_unavailable("the disk of uploads.directory is full");
    throw Undecodable(http::invalid_field(field, no_picture));
}

std::string output_name(const ImageHeader& image) {
    const std::string_view type = image.content_type;
    if (type == "image/jpeg") return "out.jpg[Q=88,optimize_coding,strip]";
    if (type == "image/png") return "out.png[compression=4,strip]";
    return image.lossless ? "out.webp[lossless,effort=1,strip]" : "out.webp[Q=88,strip]";
}

// Strips a file that vips wrote of the metadata that vips keeps, and completes it on disk.
void finish_picture(const std::string& path) {
    if (!path.ends_with(".webp")) return finish_file(path);
    const auto stripped = strip_webp(MappedFile(path).text());
    if (!stripped) throw std::runtime_error("vips wrote a WebP file that cannot be read");
    if (unlink(path.c_str()) != 0) fail(path);
    write_file(path, *stripped);
}

void make_pictures(Prepared& prepared, const ImageHeader& image, const std::string& field) {
    const auto deadline = std::chrono::steady_clock::now() + time_for_children;
    const auto output = output_name(image);
    prepared.file = prepared.work->file(output.substr(0, output.find('[')));
    const auto encode_whole = [&](Colours colours) {
        return encode(*prepared.work, "in", output, "100000", "100000", colours, deadline);
    };
    auto encoded = ChildResult();
    if (has_fitting_profile(*prepared.work, "in", field, deadline)) encoded = encode_whole(Colours::by_profile);
    // No profile, or one that is damaged.
    if (encoded.end == ChildEnd::failed) encoded = encode_whole(Colours::as_they_are);
    check_encoded(*prepared.work, encoded, field);
    {
        const auto header = read_image_header(MappedFile(prepared.file).text());
        if (!header) throw std::runtime_error("vips wrote a file that is no picture");
        prepared.width = header->width;
        prepared.height = header->height;
    }
    prepared.thumbnail = prepared.work->file("thumb.webp");
    // The height is bounded because WebP bounds it.
    check_encoded(*prepared.work,
                  encode(*prepared.work, prepared.file, "thumb.webp[Q=75,strip]", "400", "4000", Colours::as_they_are, deadline),
                  field);
    finish_picture(*prepared.thumbnail);
    finish_picture(prepared.file);
}

// A PDF is what readers can show. They look for what is in it from its header on.
void check_pdf(const Work& work, const std::string& field) {
    std::string name = "in";
    const MappedFile file(work.file(name));
    const auto pdf = from_pdf_header(file.text());
    if (pdf.size() < file.text().size()) {
        name = "pdf";
        write_file(work.file(name), pdf);
    }
    const auto fault = pdf_fault(work, name, std::chrono::steady_clock::now() + time_for_children);
    if (!fault.empty()) throw Undecodable(http::invalid_field(field, fault));
}

// Prepares the file work/in. `hash` is its SHA-256, or empty when it is not known.
void prepare_work(Prepared& prepared, const std::string& hash, std::string_view content_type, const std::string& field) {
    const auto in = prepared.work->file("in");
    std::optional<ImageHeader> image;
    {
        const MappedFile file(in);
        image = detect_type(file.text(), content_type, field).image;
    }
    if (image) {
        make_pictures(prepared, *image, field);
    } else {
        check_pdf(*prepared.work, field);
        finish_file(in);
        prepared.file = in;
    }
    prepared.content_hash = image || hash.empty() ? hash_file(prepared.file) : hash;
    prepared.size = std::int64_t(file_size(open_file(prepared.file, O_RDONLY)));
}

template <class Fill>
Prepared prepared_by(const Store& store, const std::string& hash, std::string_view content_type, const std::string& field,
                     Fill&& fill) {
    try {
        Prepared prepared;
        prepared.work = std::make_unique<Work>(store.work());
        fill(prepared.work->file("in"));
        prepare_work(prepared, hash, content_type, field);
        return prepared;
    } catch (const std::system_error& error) {
        throw_api_error(error);
    }
}

}  // namespace

Prepared prepare(const Store& store, std::string_view bytes, std::string_view content_type, const std::string& field) {
    return prepared_by(store, {}, content_type, field, [&](const std::string& to) { write_file(to, bytes); });
}

Prepared prepare_file(const Store& store, const core::FileDescriptor& body, const std::string& hash,
                      std::string_view content_type, const std::string& field) {
    return prepared_by(store, hash, content_type, field, [&](const std::string& to) {
        copy_file(body, max_sent_bytes, to);
        if (hash_file(to) != hash) throw http::invalid_field("sha256", "must be the hash of the bytes in the body");
    });
}

void throw_api_error(const std::system_error& error) {
    const int code = error.code().value();
    if (code == ENOSPC || code == EDQUOT || code == ECONNREFUSED || code == ENOSYS || code == ENOTSUP)
        throw http::service_unavailable(error.what());
    throw http::internal_error(error.what());
}

}  // namespace tradepost::files
