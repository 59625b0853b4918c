#include "uploads/intake.h"

#include <magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "domain/upload.h"
#include "http/error.h"
#include "uploads/child.h"
#include "uploads/files.h"
#include "uploads/image_header.h"
#include "uploads/webp.h"

namespace tradepost::uploads {
namespace {

constexpr std::size_t magic_bytes = 64 << 10;
constexpr std::chrono::seconds time_for_children{20};

// Pages of a file that nobody changes.
class Mapped {
public:
    explicit Mapped(const std::string& path) {
        const Descriptor file(path, O_RDONLY);
        struct stat status {};
        if (fstat(file.number(), &status) != 0) fail(path);
        size_ = std::size_t(status.st_size);
        if (size_ == 0) return;
        address_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number(), 0);
        if (address_ == MAP_FAILED) fail("mmap " + path);
        madvise(address_, size_, MADV_RANDOM);
    }
    ~Mapped() {
        if (size_ > 0) munmap(address_, size_);
    }
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;
    std::string_view text() const { return {static_cast<const char*>(address_), size_}; }

private:
    void* address_ = nullptr;
    std::size_t size_ = 0;
};

// libmagic's opinion. Its database is read once a process.
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

// A PDF file's own marks (ISO 32000-1, 7.5.2 and 7.5.5): the header first of all, where readers would also take it later, and the
// end.
bool is_whole_pdf(std::string_view file) {
    const auto tail = file.substr(file.size() - std::min<std::size_t>(file.size(), 1024));
    return (file.starts_with("%PDF-1.") || file.starts_with("%PDF-2.")) && tail.find("%%EOF") != std::string_view::npos;
}

struct Kind {
    std::string content_type;
    std::optional<ImageHeader> image;
};

Kind examine(std::string_view file, std::string_view content_type, const std::string& field) {
    const auto image = read_image_header(file);
    const bool pdf = file.starts_with("%PDF-");
    if (!image && !pdf) throw http::invalid_field(field, "must be a JPEG, PNG or WebP picture or a PDF");
    const Kind kind{image ? image->content_type : "application/pdf", image};
    // Two who read the bytes differently would be served differently.
    if (magic_type(file.substr(0, magic_bytes)) != kind.content_type)
        throw http::invalid_field(field, "must be a JPEG, PNG or WebP picture or a PDF");
    if (kind.content_type != content_type) throw http::invalid_field("contentType", "must be what the bytes are");
    if (pdf && !is_whole_pdf(file)) throw http::invalid_field(field, "must be a whole PDF");
    if (image && image->pixels() > max_pixels) throw http::invalid_field(field, "must have at most 50 megapixels");
    return kind;
}

bool disk_is_full(const std::string& path, const std::string& messages) {
    struct statvfs space {};
    return messages.find("No space left") != std::string::npos ||
           (statvfs(path.c_str(), &space) == 0 && space.f_bavail * space.f_frsize < (64u << 10));
}

// One picture made of another: no larger than the box, upright, in sRGB, without metadata. Half a file is no picture.
void convert(const Work& work, const char* from, const std::string& to, const char* width, const char* height,
             const std::string& field, std::chrono::steady_clock::time_point until) {
    ChildLimits limits;
    limits.until = until;
    const auto result = run_child({vips_program, "thumbnail", from, to, width, "--height", height, "--size", "down", "--export-profile",
                                   "srgb", "--fail-on", "error"},
                                  work.path(), limits);
    if (result.end == ChildEnd::done) return;
    if (result.end == ChildEnd::too_late) throw http::service_unavailable("no time to decode a picture");
    if (disk_is_full(work.path(), result.messages)) throw http::service_unavailable("the disk of uploads.directory is full");
    throw http::invalid_field(field, "must be a picture that can be decoded");
}

std::string output_name(const ImageHeader& image) {
    const std::string_view type = image.content_type;
    if (type == "image/jpeg") return "out.jpg[Q=88,optimize_coding,strip]";
    if (type == "image/png") return "out.png[compression=4,strip]";
    return image.lossless ? "out.webp[lossless,effort=1,strip]" : "out.webp[Q=88,strip]";
}

// What vips wrote, complete on disk and without what it left in.
void finish_picture(const std::string& path) {
    if (!path.ends_with(".webp")) return finish_file(path);
    const auto bare = bare_webp(Mapped(path).text());
    if (!bare) throw std::runtime_error("vips wrote a WebP file that cannot be read");
    if (unlink(path.c_str()) != 0) fail(path);
    write_file(path, *bare);
}

void make_pictures(Prepared& prepared, const ImageHeader& image, const std::string& field) {
    const auto until = std::chrono::steady_clock::now() + time_for_children;
    const auto output = output_name(image);
    prepared.file = prepared.work->file(output.substr(0, output.find('[')));
    convert(*prepared.work, "in", output, "100000", "100000", field, until);
    {
        const auto made = read_image_header(Mapped(prepared.file).text());
        if (!made) throw std::runtime_error("vips wrote what is no picture");
        prepared.width = made->width;
        prepared.height = made->height;
    }
    prepared.thumbnail = prepared.work->file("thumb.webp");
    // A tall one is bounded by what WebP can be.
    convert(*prepared.work, prepared.file.c_str(), "thumb.webp[Q=75,strip]", "400", "4000", field, until);
    finish_picture(*prepared.thumbnail);
    finish_picture(prepared.file);
}

// The file to take is work/in. `hash`: its own, or empty when nobody knows it.
void take(Prepared& prepared, const std::string& hash, std::string_view content_type, const std::string& field) {
    const auto in = prepared.work->file("in");
    std::optional<ImageHeader> image;
    {
        const Mapped file(in);
        image = examine(file.text(), content_type, field).image;
    }
    if (image) {
        make_pictures(prepared, *image, field);
    } else {
        finish_file(in);
        prepared.file = in;
    }
    prepared.content_hash = image || hash.empty() ? hash_file(prepared.file) : hash;
    prepared.size = std::int64_t(file_size(prepared.file));
}

template <class Fill>
Prepared prepared_by(const Store& store, const std::string& hash, std::string_view content_type, const std::string& field,
                     Fill&& fill) {
    try {
        Prepared prepared;
        prepared.work = std::make_unique<Work>(store.work());
        fill(prepared.work->file("in"));
        take(prepared, hash, content_type, field);
        return prepared;
    } catch (const std::system_error& error) {
        raise(error);
    }
}

}  // namespace

Prepared prepare(const Store& store, std::string_view bytes, std::string_view content_type, const std::string& field) {
    return prepared_by(store, {}, content_type, field, [&](const std::string& to) { write_file(to, bytes); });
}

Prepared prepare_file(const Store& store, const std::string& path, const std::string& hash, std::string_view content_type,
                      const std::string& field) {
    return prepared_by(store, hash, content_type, field, [&](const std::string& to) {
        if (rename(path.c_str(), to.c_str()) != 0) fail("rename " + path + " into uploads.directory");
    });
}

void raise(const std::system_error& error) {
    const int code = error.code().value();
    if (code == ENOSPC || code == EDQUOT) throw http::service_unavailable(error.what());
    throw http::ApiError(500, "Internal server error", error.what());
}

}  // namespace tradepost::uploads
