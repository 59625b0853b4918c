// Files for uploads, made on the spot.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tradepost::test {

// A picture of noise, as the ending of `name` says, which may have vips' options: "x.jpg[Q=50]".
std::string picture(int width, int height, const std::string& name = "x.jpg");

// The JPEG file with an EXIF block: this orientation (1 … 8), a place (GPS), and the text "secret place" as its description.
std::string with_exif(const std::string& jpeg, int orientation);

// The picture with its metadata in another format.
std::string converted(const std::string& picture, const std::string& name);

std::string png_header(std::uint32_t width, std::uint32_t height);  // a signature and an IHDR with its checksum
// A PDF of one page with this text. With `size`, of so many bytes: the page has white space then.
std::string pdf(const std::string& text = "Hello", std::size_t size = 0);
// A PDF of one page that opens with either password (ISO 32000-1, 7.6.3, revision 2). With an empty one it opens without.
std::string pdf_with_passwords(const std::string& of_user, const std::string& of_owner);
// A PDF file of these objects, numbered from 1, the first of which is its catalogue. `trailer` is added to that dictionary.
std::string pdf_of(const std::vector<std::string>& objects, const std::string& trailer = "");

std::string base64(const std::string& bytes);

// A picture of 64 × 64 pixels in one colour, without metadata: of one band (grey) or three (sRGB). `name` is that of picture().
std::string in_one_colour(const std::vector<int>& colour, const std::string& name);

// The same, given in sRGB, in the colour space of one of vips' profiles, which comes with it: "srgb", "p3", "cmyk".
std::string in_colour_space(const std::string& profile, const std::vector<int>& colour, const std::string& name);

// The bytes of that profile.
std::string colour_profile(const std::string& profile);

// A profile of grey pixels with this gamma (ICC.1:2022, 8.3.4 and 8.4.4).
std::string grey_profile(double gamma);

// The JPEG, PNG or WebP picture with these bytes as its colour profile, whether it fits or not. WebP: a lossless one of in_one_colour().
// In a JPEG file the profile comes in `segments` parts.
std::string with_profile(const std::string& picture, const std::string& profile, std::size_t segments = 1);

// The JPEG, PNG or WebP picture with a text that programs of pictures write into it, outside pixels and profile; WebP as above.
std::string with_text(const std::string& picture, const std::string& text);

// What vipsheader says of a picture's field: "width", "exif-ifd3-GPSLatitude" …; empty when there is none.
std::string picture_field(const std::string& bytes, const std::string& field);
// The mean of all bands of the 8 × 8 pixels at that place, 0 … 255.
double brightness(const std::string& bytes, int left, int top);
// The bands of a pixel, 0 … 255.
std::vector<double> pixel(const std::string& bytes, int left, int top);

}  // namespace tradepost::test
