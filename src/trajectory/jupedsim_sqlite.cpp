// SPDX-License-Identifier: MIT
#include "trajectory/jupedsim_sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/hash.hpp"
#include "trajectory/rows.hpp"

namespace throng {
namespace {

constexpr const char* kVersion = "2";
constexpr int kLongestText = 1 << 26;

constexpr const char* kSchema =
    "CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT NULL, "
    "ori_x REAL NOT NULL, ori_y REAL NOT NULL);"
    "CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
    "CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);";

/// Made after the rows: filling a table that has an index takes twice as long.
constexpr const char* kIndex = "CREATE INDEX frame_id_idx ON trajectory_data (frame, id);";

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

/// SQLite's own words, kept short: they may quote the file.
std::string words_of(sqlite3* database) { return std::string(sqlite3_errmsg(database)).substr(0, 200); }

Database open_database(const std::string& path, int flags) {
  sqlite3* database = nullptr;
  const int status = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
  Database holder(database);
  if (status != SQLITE_OK) return nullptr;
  return holder;
}

Statement prepare(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, sql, -1, &statement, nullptr);
  return Statement(statement);
}

bool run(sqlite3* database, const char* sql) { return sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }

/// One row, and the statement is ready for the next.
bool insert(sqlite3_stmt* statement) { return sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK; }

bool bind(sqlite3_stmt* statement, int index, const std::string& text) {
  return sqlite3_bind_text(statement, index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT) == SQLITE_OK;
}

bool write_rows(sqlite3* database, const Trajectory& t) {
  const Statement row = prepare(database, "INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)");
  if (!row) return false;
  for (std::size_t k = 0; k < t.frame_count(); ++k) {
    const FrameView frame = t.frame(k);
    for (std::size_t i = 0; i < frame.size(); ++i) {
      sqlite3_bind_int64(row.get(), 1, static_cast<sqlite3_int64>(k));
      sqlite3_bind_int64(row.get(), 2, frame.facts(i).id);
      sqlite3_bind_double(row.get(), 3, frame.x[i]);
      sqlite3_bind_double(row.get(), 4, frame.y[i]);
      sqlite3_bind_double(row.get(), 5, frame.heading_x[i]);
      sqlite3_bind_double(row.get(), 6, frame.heading_y[i]);
      if (!insert(row.get())) return false;
    }
  }
  return true;
}

struct Bounds {
  float low_x = 0, high_x = 0, low_y = 0, high_y = 0;
};

Bounds bounds_of(const Trajectory& t) {
  if (t.x.empty()) return {};
  const auto [low_x, high_x] = std::minmax_element(t.x.begin(), t.x.end());
  const auto [low_y, high_y] = std::minmax_element(t.y.begin(), t.y.end());
  return {*low_x, *high_x, *low_y, *high_y};
}

bool write_metadata(sqlite3* database, const Trajectory& t, const Bounds& b) {
  const Statement row = prepare(database, "INSERT INTO metadata VALUES (?, ?)");
  if (!row) return false;
  const std::pair<const char*, std::string> entries[] = {{"version", kVersion},
                                                         {"fps", fmt::format("{}", 1 / t.frame_seconds)},
                                                         {"xmin", fmt::format("{}", b.low_x)},
                                                         {"xmax", fmt::format("{}", b.high_x)},
                                                         {"ymin", fmt::format("{}", b.low_y)},
                                                         {"ymax", fmt::format("{}", b.high_y)}};
  for (const auto& [key, value] : entries) {
    if (!bind(row.get(), 1, key) || !bind(row.get(), 2, value) || !insert(row.get())) return false;
  }
  return true;
}

bool write_geometry(sqlite3* database, const Trajectory& t, const Bounds& b) {
  const std::string wkt = !t.geometry_wkt.empty() ? t.geometry_wkt
                                                  : fmt::format("POLYGON (({0} {2}, {1} {2}, {1} {3}, {0} {3}, {0} {2}))",
                                                                b.low_x, b.high_x, b.low_y, b.high_y);
  const auto hash = static_cast<sqlite3_int64>(hash_of(wkt));
  const Statement geometry = prepare(database, "INSERT INTO geometry VALUES (?, ?)");
  const Statement frame = prepare(database, "INSERT INTO frame_data VALUES (?, ?)");
  if (!geometry || !frame) return false;
  sqlite3_bind_int64(geometry.get(), 1, hash);
  if (!bind(geometry.get(), 2, wkt) || !insert(geometry.get())) return false;
  for (std::size_t k = 0; k < t.frame_count(); ++k) {
    sqlite3_bind_int64(frame.get(), 1, static_cast<sqlite3_int64>(k));
    sqlite3_bind_int64(frame.get(), 2, hash);
    if (!insert(frame.get())) return false;
  }
  return true;
}

/// Reads from a file that may say anything.
class DatabaseReader {
 public:
  DatabaseReader(const std::string& path, sqlite3* database) : path_(path), database_(database) {}

  Result<Trajectory> read() {
    for (const char* table : {"trajectory_data", "metadata"}) {
      if (!is_plain_table(table))
        return problem(std::string("there is no table ") + table, "give a trajectory file of JuPedSim (version 1 to 3)");
    }
    double frames_per_second = 0;
    if (auto found = read_frame_rate(frames_per_second); !found.empty()) return found;
    std::vector<TrajectoryRow> rows;
    if (auto found = read_rows(rows); !found.empty()) return found;
    Result<Trajectory> trajectory = trajectory_from_rows(std::move(rows), frames_per_second, path_);
    if (!trajectory) return trajectory;
    if (is_plain_table("geometry")) read_geometry(trajectory->geometry_wkt);
    read_metadata(trajectory->metadata);
    return trajectory;
  }

 private:
  Problem problem(const std::string& what, const std::string& fix) const { return {path_, what, fix}; }
  Problem corrupt() const {
    return problem("SQLite says: " + words_of(database_), "take another copy of the file or export it again");
  }

  /// A view or a virtual table could compute for ever.
  bool is_plain_table(const char* name) {
    const Statement query = prepare(database_, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?");
    if (!query || !bind(query.get(), 1, name) || sqlite3_step(query.get()) != SQLITE_ROW) return false;
    const auto* sql = reinterpret_cast<const char*>(sqlite3_column_text(query.get(), 0));
    if (!sql) return false;
    std::string start(sql, std::min<std::size_t>(std::string_view(sql).size(), 16));
    for (char& c : start) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return start.find("VIRTUAL") == std::string::npos;
  }

  std::string text(sqlite3_stmt* statement, int column) {
    const auto* bytes = sqlite3_column_text(statement, column);
    const int size = sqlite3_column_bytes(statement, column);
    return bytes ? std::string(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)) : std::string();
  }

  std::vector<Problem> read_frame_rate(double& frames_per_second) {
    const Statement query = prepare(database_, "SELECT value FROM metadata WHERE key = 'fps'");
    if (!query) return {corrupt()};
    const int status = sqlite3_step(query.get());
    if (status == SQLITE_DONE)
      return {problem("its metadata has no \"fps\"", "add a row with the key fps and the frames per second as value")};
    if (status != SQLITE_ROW) return {corrupt()};
    const std::string value = text(query.get(), 0);
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), frames_per_second);
    if (error != std::errc() || end != value.data() + value.size())
      return {problem("its fps is \"" + value.substr(0, 24) + "\"; a number is needed", "correct the row of metadata")};
    return check_frame_rate(frames_per_second, path_ + ", metadata fps");
  }

  std::vector<Problem> read_rows(std::vector<TrajectoryRow>& rows) {
    // Without the index: a damaged one gives wrong rows.
    Statement query = prepare(database_, "SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data NOT INDEXED");
    const bool has_heading = query != nullptr;
    if (!has_heading) query = prepare(database_, "SELECT frame, id, pos_x, pos_y FROM trajectory_data NOT INDEXED");
    if (!query) return {corrupt()};
    constexpr std::uintmax_t kSmallestRow = 8;
    std::error_code error;
    const std::uintmax_t most_rows = std::filesystem::file_size(path_, error) / kSmallestRow;
    int status = SQLITE_ROW;
    while ((status = sqlite3_step(query.get())) == SQLITE_ROW) {
      if (rows.size() >= most_rows) return {problem("it has more rows than its size allows: it is damaged", "export it again")};
      for (int column = 0; column < (has_heading ? 6 : 4); ++column) {
        const int type = sqlite3_column_type(query.get(), column);
        const bool fits = type == SQLITE_INTEGER || (column >= 2 && type == SQLITE_FLOAT) || (column >= 4 && type == SQLITE_NULL);
        if (!fits)
          return {problem("row " + std::to_string(rows.size() + 1) + " of trajectory_data: \"" +
                              sqlite3_column_name(query.get(), column) + "\" is not " + (column < 2 ? "an integer" : "a number"),
                          "correct or remove the row")};
      }
      const sqlite3_int64 id = sqlite3_column_int64(query.get(), 1);
      if (id < 0 || id > 0xFFFFFFFF)
        return {problem("row " + std::to_string(rows.size() + 1) + " of trajectory_data: id " + std::to_string(id) +
                            " is not within 0 to 4294967295",
                        "number the agents anew")};
      TrajectoryRow row;
      row.frame = sqlite3_column_int64(query.get(), 0);
      row.id = static_cast<std::uint32_t>(id);
      row.x = static_cast<float>(sqlite3_column_double(query.get(), 2));
      row.y = static_cast<float>(sqlite3_column_double(query.get(), 3));
      if (has_heading) {
        row.heading_x = static_cast<float>(sqlite3_column_double(query.get(), 4));
        row.heading_y = static_cast<float>(sqlite3_column_double(query.get(), 5));
      }
      rows.push_back(row);
    }
    if (status != SQLITE_DONE) return {corrupt()};
    return {};
  }

  /// What the analysis can do without: not an error if it is missing.
  void read_geometry(std::string& wkt) {
    const Statement query = prepare(database_, "SELECT wkt FROM geometry LIMIT 1");
    if (query && sqlite3_step(query.get()) == SQLITE_ROW) wkt = text(query.get(), 0);
  }
  void read_metadata(std::map<std::string, std::string>& metadata) {
    const Statement query = prepare(database_, "SELECT key, value FROM metadata LIMIT 1000");
    while (query && sqlite3_step(query.get()) == SQLITE_ROW) metadata[text(query.get(), 0)] = text(query.get(), 1);
  }

  const std::string& path_;
  sqlite3* database_;
};

}  // namespace

std::optional<Problem> write_jupedsim_sqlite(const Trajectory& trajectory, const std::string& path) {
  const std::string part = path + ".part";
  std::error_code error;
  std::filesystem::remove(part, error);
  const auto fail = [&](const std::string& what) {
    std::filesystem::remove(part, error);
    return Problem{path, "the file cannot be written: " + what, "check that the folder exists, is writable and has room"};
  };
  Database database = open_database(part, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!database) return fail("SQLite cannot create it");
  // Nobody sees the file before it is complete, so a journal protects nothing.
  const Bounds bounds = bounds_of(trajectory);
  const bool written = run(database.get(), "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;") &&
                       run(database.get(), kSchema) && write_rows(database.get(), trajectory) &&
                       write_metadata(database.get(), trajectory, bounds) && write_geometry(database.get(), trajectory, bounds) &&
                       run(database.get(), kIndex) && run(database.get(), "COMMIT;");
  if (!written) return fail(words_of(database.get()));
  database.reset();
  std::filesystem::rename(part, path, error);
  if (error) return fail(error.message());
  return std::nullopt;
}

Result<Trajectory> read_jupedsim_sqlite(const std::string& path) {
  const Database database = open_database(path, SQLITE_OPEN_READONLY);
  if (!database) return Problem{path, "SQLite cannot open the file", "check its name and that it can be read"};
  sqlite3_limit(database.get(), SQLITE_LIMIT_LENGTH, kLongestText);
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  run(database.get(), "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;");
  return DatabaseReader(path, database.get()).read();
}

}  // namespace throng
