// SPDX-License-Identifier: MIT
// Reads one mesh file with assimp and writes its triangles as plain numbers (import/mesh_wire.hpp) to standard output.
//
//   throng-mesh-import FILE [SECONDS] [BYTES]
//
// It limits itself before it opens the file: processor time, memory, no core dump, no file written. Whatever a hostile
// file does to assimp, it does to this process only; the parent (import/mesh.cpp) takes a death for an answer.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include "import/limits.hpp"
#include "import/mesh_wire.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define THRONG_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define THRONG_SANITIZED 1
#endif
#endif

#ifdef THRONG_SANITIZED
// The sanitizer's shadow takes terabytes of address space, so RLIMIT_AS cannot be used: limit what is really touched instead.
extern "C" const char* __asan_default_options() { return "hard_rss_limit_mb=2048:detect_leaks=0:allocator_may_return_null=0"; }
#endif

namespace {

void limit(int resource, rlim_t most) {
  const rlimit value{most, most};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &value);
}

bool write_all(const void* data, std::size_t size) { return std::fwrite(data, 1, size, stdout) == size; }

/// The outcome is in the text, not in the status: a status other than 0 means that something broke.
int fail(std::string_view text) {
  // assimp passes the exception's own name on, which tells a user nothing.
  if (text.find("bad_alloc") != std::string_view::npos) text = "it needs more memory than is allowed";
  const std::uint64_t length = text.size();
  write_all(throng::mesh_wire::kFailMagic.data(), 8);
  write_all(&length, sizeof length);
  write_all(text.data(), text.size());
  return std::fflush(stdout) == 0 ? 0 : 1;
}

/// The file itself, and files beside it or below: a mesh may name buffers and materials, but not what lies elsewhere, neither by
/// its path nor through a link.
class FilesBeside : public Assimp::DefaultIOSystem {
 public:
  FilesBeside(const char* file, std::string& refused)
      : file_(real_path(file)), folder_(real_path(std::filesystem::path(file).parent_path())), refused_(refused) {}
  bool Exists(const char* file) const override { return is_allowed(file) && DefaultIOSystem::Exists(file); }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    return is_allowed(file) ? DefaultIOSystem::Open(file, mode) : nullptr;
  }

 private:
  static std::filesystem::path real_path(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::weakly_canonical(path.empty() ? "." : path, error);
  }
  bool is_allowed(const char* name) const {
    const std::filesystem::path real = real_path(name);
    const auto end = std::mismatch(folder_.begin(), folder_.end(), real.begin(), real.end()).first;
    if (real == file_ || (!folder_.empty() && end == folder_.end())) return true;
    refused_ = std::filesystem::path(name).filename().string();
    return false;
  }

  std::filesystem::path file_, folder_;
  std::string& refused_;
};

int run(const char* file) {
  std::string refused;
  Assimp::Importer importer;
  importer.SetIOHandler(new FilesBeside(file, refused));  // the importer deletes it
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                                          aiComponent_COLORS | aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS |
                                                          aiComponent_ANIMATIONS | aiComponent_TEXTURES | aiComponent_LIGHTS |
                                                          aiComponent_CAMERAS | aiComponent_MATERIALS);
  // Flattened to one list of triangles in metres; only positions are of interest, and equal ones are one.
  const aiScene* scene =
      importer.ReadFile(file, aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_GlobalScale |
                                  aiProcess_PreTransformVertices | aiProcess_JoinIdenticalVertices);
  if (!scene && !refused.empty())
    return fail("it refers to a file \"" + refused + "\" outside its own folder; files that it needs must lie beside it");
  if (!scene) return fail(importer.GetErrorString());

  std::vector<double> vertices;
  std::vector<std::uint32_t> triangles;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& mesh = *scene->mMeshes[m];
    const std::size_t first = vertices.size() / 3;
    if (first + mesh.mNumVertices > throng::limits::kVertices ||
        triangles.size() / 3 + mesh.mNumFaces > throng::limits::kTriangles) {
      return fail("it has more than 5 million vertices or 10 million triangles, the most that is allowed");
    }
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D& v = mesh.mVertices[i];
      vertices.insert(vertices.end(), {v.x, v.y, v.z});
    }
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices != 3) continue;
      for (unsigned k = 0; k < 3; ++k) triangles.push_back(static_cast<std::uint32_t>(first + face.mIndices[k]));
    }
  }
  const std::uint64_t counts[2] = {vertices.size() / 3, triangles.size() / 3};
  const bool written = write_all(throng::mesh_wire::kMeshMagic.data(), 8) && write_all(counts, sizeof counts) &&
                       write_all(vertices.data(), vertices.size() * sizeof(double)) &&
                       write_all(triangles.data(), triangles.size() * sizeof(std::uint32_t));
  return written && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 2) {
    std::fputs("usage: throng-mesh-import FILE [SECONDS] [BYTES]\n", stderr);
    return 2;
  }
  const auto number = [&](int index, unsigned long long fallback) {
    return argument_count > index ? std::strtoull(arguments[index], nullptr, 10) : fallback;
  };
  limit(RLIMIT_CPU, number(2, 60));
#ifndef THRONG_SANITIZED
  limit(RLIMIT_AS, number(3, 2ULL << 30));
#endif
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  try {
    return run(arguments[1]);
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
