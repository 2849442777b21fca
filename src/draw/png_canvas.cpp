// SPDX-License-Identifier: MIT
#include "draw/png_canvas.hpp"

#include <algorithm>
#include <cstring>

#include <cairo.h>

#if defined(__SANITIZE_ADDRESS__)
#define THRONG_WITH_LEAK_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define THRONG_WITH_LEAK_SANITIZER
#endif
#endif
#ifdef THRONG_WITH_LEAK_SANITIZER
// fontconfig keeps what it read about fonts until the process ends, without a pointer that LeakSanitizer would find.
extern "C" __attribute__((weak, visibility("default"), used)) const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
#endif

namespace throng {
namespace {

Result<std::monostate> written(const std::string& path, cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return std::monostate{};
  return Problem{path, std::string("cannot write the picture: ") + cairo_status_to_string(status),
                 "check that the folder exists, may be written and has room"};
}

}  // namespace

struct PngCanvas::Surface {
  cairo_surface_t* image = nullptr;
  cairo_t* context = nullptr;

  Surface(int width, int height)
      : image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)), context(cairo_create(image)) {}
  ~Surface() {
    cairo_destroy(context);
    cairo_surface_destroy(image);
  }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  void use(Color c) { cairo_set_source_rgba(context, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0); }

  void path(std::span<const Vec2> pixels) {
    // cairo's fixed-point coordinates end at 2^23.
    const auto bounded = [](double v) { return std::clamp(v, -4e6, 4e6); };
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      if (i == 0)
        cairo_move_to(context, bounded(pixels[i].x), bounded(pixels[i].y));
      else
        cairo_line_to(context, bounded(pixels[i].x), bounded(pixels[i].y));
    }
  }
};

PngCanvas::PngCanvas(const CanvasSettings& settings)
    : Canvas(settings), surface_(std::make_unique<Surface>(static_cast<int>(sheet_width()), static_cast<int>(sheet_height()))) {
  cairo_t* const c = surface_->context;
  cairo_set_source_rgb(c, 1, 1, 1);
  cairo_paint(c);
  cairo_set_fill_rule(c, CAIRO_FILL_RULE_EVEN_ODD);
  cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND);
  cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_save(c);
  const Box b = picture();
  cairo_rectangle(c, b.x, b.y, b.width, b.height);
  cairo_clip(c);
}

PngCanvas::~PngCanvas() = default;

void PngCanvas::group(std::string_view) {}

void PngCanvas::stroke(std::span<const Vec2> pixels, Color color, double width) {
  surface_->use(color);
  cairo_set_line_width(surface_->context, width);
  cairo_new_path(surface_->context);
  surface_->path(pixels);
  cairo_stroke(surface_->context);
}

void PngCanvas::fill(std::span<const std::vector<Vec2>> rings, Color color) {
  surface_->use(color);
  cairo_new_path(surface_->context);
  for (const auto& ring : rings) {
    surface_->path(ring);
    cairo_close_path(surface_->context);
  }
  cairo_fill(surface_->context);
}

void PngCanvas::fill_disc(Vec2 centre, double radius, Color color) {
  surface_->use(color);
  cairo_new_path(surface_->context);
  cairo_arc(surface_->context, centre.x, centre.y, std::clamp(radius, 0.0, 1e6), 0, 6.283185307179586);
  cairo_fill(surface_->context);
}

void PngCanvas::write(Vec2 at, std::string_view words, double size, Color color, Anchor anchor, bool upwards) {
  cairo_t* const c = surface_->context;
  const std::string text(words);
  surface_->use(color);
  cairo_set_font_size(c, std::min(size, 2000.0));
  cairo_text_extents_t extents;
  cairo_text_extents(c, text.c_str(), &extents);
  const double share = anchor == Anchor::kStart ? 0 : anchor == Anchor::kMiddle ? 0.5 : 1;
  cairo_save(c);
  cairo_translate(c, at.x, at.y);
  if (upwards) cairo_rotate(c, -1.5707963267948966);
  cairo_move_to(c, -share * extents.x_advance, 0.35 * size);
  cairo_show_text(c, text.c_str());
  cairo_restore(c);
}

void PngCanvas::end_clip() { cairo_restore(surface_->context); }

Color PngCanvas::pixel(int x, int y) const {
  cairo_surface_flush(surface_->image);
  const unsigned char* const data = cairo_image_surface_get_data(surface_->image);
  if (data == nullptr || x < 0 || y < 0 || x >= sheet_width() || y >= sheet_height()) return {0, 0, 0, 0};
  std::uint32_t packed;
  std::memcpy(&packed, data + static_cast<std::ptrdiff_t>(y) * cairo_image_surface_get_stride(surface_->image) + 4 * x, 4);
  return {static_cast<std::uint8_t>(packed >> 16), static_cast<std::uint8_t>(packed >> 8), static_cast<std::uint8_t>(packed)};
}

std::span<const std::byte> PngCanvas::pixels() const {
  cairo_surface_flush(surface_->image);
  const auto* const data = reinterpret_cast<const std::byte*>(cairo_image_surface_get_data(surface_->image));
  // Four bytes a pixel leave no gap between rows.
  const auto rows = static_cast<std::size_t>(cairo_image_surface_get_height(surface_->image));
  return {data, rows * static_cast<std::size_t>(cairo_image_surface_get_stride(surface_->image))};
}

void PngCanvas::note(std::string_view words) {
  constexpr double kSize = 18;
  cairo_save(surface_->context);
  cairo_reset_clip(surface_->context);
  const Box b = picture();
  write({b.x + b.width, b.y - 0.85 * kSize}, words, kSize, {34, 34, 34}, Anchor::kEnd, false);
  cairo_restore(surface_->context);
}

void PngCanvas::copy_pixels(const PngCanvas& other) {
  const std::span<const std::byte> from = other.pixels();
  if (from.size() != pixels().size()) return;
  std::memcpy(cairo_image_surface_get_data(surface_->image), from.data(), from.size());
  cairo_surface_mark_dirty(surface_->image);
}

Result<std::monostate> PngCanvas::write_file(const std::string& path) {
  cairo_status_t status = cairo_status(surface_->context);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png(surface_->image, path.c_str());
  return written(path, status);
}

Result<std::monostate> write_png(const std::string& path, std::span<const std::byte> pixels, int width, int height) {
  cairo_surface_t* const image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  cairo_status_t status = cairo_surface_status(image);
  if (status == CAIRO_STATUS_SUCCESS) {
    cairo_surface_flush(image);
    std::memcpy(cairo_image_surface_get_data(image), pixels.data(),
                std::min(pixels.size(), static_cast<std::size_t>(cairo_image_surface_get_stride(image)) * static_cast<std::size_t>(height)));
    cairo_surface_mark_dirty(image);
    status = cairo_surface_write_to_png(image, path.c_str());
  }
  cairo_surface_destroy(image);
  return written(path, status);
}

}  // namespace throng
