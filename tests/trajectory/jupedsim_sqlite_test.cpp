// SPDX-License-Identifier: MIT
// JuPedSim's SQLite files: exactly its schema, seen with plain SQL; files of other versions; files that mean harm.
#include "trajectory/jupedsim_sqlite.hpp"

#include <sqlite3.h>

#include <random>

#include "trajectory/files.hpp"
#include "walkers.hpp"

namespace throng {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Runs SQL with the C API alone: what another tool would see.
Rows query(const std::string& file, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  Rows rows;
  char* message = nullptr;
  const auto collect = [](void* into, int count, char** values, char**) {
    std::vector<std::string> row;
    for (int i = 0; i < count; ++i) row.emplace_back(values[i] ? values[i] : "NULL");
    static_cast<Rows*>(into)->push_back(row);
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), collect, &rows, &message), SQLITE_OK) << sql << ": " << (message ? message : "");
  sqlite3_free(message);
  sqlite3_close(database);
  return rows;
}

class JupedsimFile : public FilesTest {
 protected:
  std::string written(const Trajectory& t) {
    const auto problem = write_jupedsim_sqlite(t, path("run.sqlite"));
    EXPECT_FALSE(problem) << to_string(*problem);
    return path("run.sqlite");
  }
  /// A file made by `sql`; refused with a problem that has `word` in it.
  void expect_refused(const std::string& sql, const std::string& word) {
    std::filesystem::remove(path("bad.sqlite"));
    query(path("bad.sqlite"), sql);
    const auto result = read_jupedsim_sqlite(path("bad.sqlite"));
    ASSERT_FALSE(result) << sql;
    const Problem& problem = result.problems().front();
    EXPECT_NE(to_string(problem).find(word), std::string::npos) << to_string(problem);
    EXPECT_FALSE(problem.where.empty() || problem.fix.empty());
  }
};

TEST_F(JupedsimFile, the_schema_is_exactly_that_of_version_2) {
  const std::string file = written(walkers_trajectory(60, 10));
  EXPECT_EQ(query(file, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"),
            (Rows{{"frame_data"}, {"geometry"}, {"metadata"}, {"trajectory_data"}}));
  const auto columns = [&](const std::string& table) {
    return query(file, "SELECT name, type, \"notnull\" FROM pragma_table_info('" + table + "') ORDER BY cid");
  };
  EXPECT_EQ(columns("trajectory_data"), (Rows{{"frame", "INTEGER", "1"},
                                              {"id", "INTEGER", "1"},
                                              {"pos_x", "REAL", "1"},
                                              {"pos_y", "REAL", "1"},
                                              {"ori_x", "REAL", "1"},
                                              {"ori_y", "REAL", "1"}}));
  EXPECT_EQ(columns("metadata"), (Rows{{"key", "TEXT", "1"}, {"value", "TEXT", "1"}}));
  EXPECT_EQ(columns("geometry"), (Rows{{"hash", "INTEGER", "1"}, {"wkt", "TEXT", "1"}}));
  EXPECT_EQ(columns("frame_data"), (Rows{{"frame", "INTEGER", "1"}, {"geometry_hash", "INTEGER", "1"}}));
  EXPECT_EQ(query(file, "SELECT name FROM pragma_index_info('frame_id_idx') ORDER BY seqno"), (Rows{{"frame"}, {"id"}}));
  EXPECT_EQ(query(file, "PRAGMA integrity_check"), (Rows{{"ok"}}));
}

TEST_F(JupedsimFile, rows_metadata_and_geometry_are_what_the_trajectory_says) {
  const Trajectory t = walkers_trajectory(60, 10);
  const std::string file = written(t);
  const auto number = [](float value) { return std::to_string(double{value}); };
  EXPECT_EQ(query(file, "SELECT key, value FROM metadata WHERE key IN ('fps', 'version') ORDER BY key"),
            (Rows{{"fps", "10"}, {"version", "2"}}));
  EXPECT_EQ(query(file, "SELECT key FROM metadata ORDER BY key"),
            (Rows{{"fps"}, {"version"}, {"xmax"}, {"xmin"}, {"ymax"}, {"ymin"}}));
  EXPECT_EQ(
      query(file,
            "SELECT count(*) FROM metadata, (SELECT min(pos_x) a, max(pos_x) b, min(pos_y) c, max(pos_y) d FROM trajectory_data) "
            "WHERE (key = 'xmin' AND abs(value - a) < 1e-6) OR (key = 'xmax' AND abs(value - b) < 1e-6) OR "
            "(key = 'ymin' AND abs(value - c) < 1e-6) OR (key = 'ymax' AND abs(value - d) < 1e-6)"),
      (Rows{{"4"}}));
  EXPECT_EQ(query(file, "SELECT count(*) FROM trajectory_data"), (Rows{{std::to_string(t.row_count())}}));
  EXPECT_EQ(query(file, "SELECT wkt FROM geometry"), (Rows{{t.geometry_wkt}}));
  EXPECT_EQ(query(file, "SELECT count(*) FROM frame_data JOIN geometry ON hash = geometry_hash"), (Rows{{"60"}}));
  const FrameView frame = t.frame(33);
  const Rows rows = query(file,
                          "SELECT id, printf('%.6f', pos_x), printf('%.6f', pos_y), printf('%.6f', ori_x), printf('%.6f', ori_y) "
                          "FROM trajectory_data WHERE frame = 33 ORDER BY id");
  ASSERT_EQ(rows.size(), frame.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(rows[i], (std::vector<std::string>{std::to_string(frame.facts(i).id), number(frame.x[i]), number(frame.y[i]),
                                                 number(frame.heading_x[i]), number(frame.heading_y[i])}));
}

TEST_F(JupedsimFile, what_is_written_is_read_again_bit_for_bit) {
  const Trajectory t = walkers_trajectory(100, 30);
  const auto again = read_jupedsim_sqlite(written(t));
  ASSERT_TRUE(again) << to_string(again.problems()[0]);
  EXPECT_EQ(again->frame_seconds, t.frame_seconds);
  EXPECT_EQ(again->geometry_wkt, t.geometry_wkt);
  EXPECT_EQ(again->frame_start, t.frame_start);
  EXPECT_EQ(again->agent, t.agent);
  EXPECT_EQ(again->x, t.x);
  EXPECT_EQ(again->y, t.y);
  EXPECT_EQ(again->heading_x, t.heading_x);
  EXPECT_EQ(again->heading_y, t.heading_y);
  ASSERT_EQ(again->agents.size(), t.agents.size());
  for (std::size_t i = 0; i < t.agents.size(); ++i) {
    EXPECT_EQ(again->agents[i].id, t.agents[i].id);
    EXPECT_EQ(again->presence[i].first, t.presence[i].first);
    EXPECT_EQ(again->presence[i].end, t.presence[i].end);
  }
}

TEST_F(JupedsimFile, a_file_is_replaced_only_by_a_complete_one) {
  write(path("run.sqlite"), "an older file");
  written(walkers_trajectory(10, 5));
  EXPECT_TRUE(read_jupedsim_sqlite(path("run.sqlite")));
  EXPECT_FALSE(std::filesystem::exists(path("run.sqlite.part")));
  const auto problem = write_jupedsim_sqlite(walkers_trajectory(10, 5), path("no/folder.sqlite"));
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->what.find("cannot be written"), std::string::npos);
}

constexpr const char* kMetadata = "CREATE TABLE metadata(key TEXT, value TEXT); INSERT INTO metadata VALUES('fps', '10');";
constexpr const char* kTable =
    "CREATE TABLE trajectory_data(frame INTEGER, id INTEGER, pos_x REAL, pos_y REAL, ori_x REAL, ori_y REAL);";

TEST_F(JupedsimFile, versions_1_and_3_are_read_too) {
  query(path("v1.sqlite"), std::string(kMetadata) + kTable +
                               "CREATE TABLE geometry(wkt TEXT); INSERT INTO geometry VALUES('POLYGON EMPTY');" +
                               "INSERT INTO trajectory_data VALUES(0, 1, 0.5, 1.5, 0, 1), (1, 1, 1.5, 1.5, 0, 1);");
  const auto first = read_jupedsim_sqlite(path("v1.sqlite"));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->geometry_wkt, "POLYGON EMPTY");
  EXPECT_EQ(first->heading_y[0], 1);
  query(path("v3.sqlite"), std::string(kMetadata) +
                               "CREATE TABLE trajectory_data(frame INTEGER, id INTEGER, pos_x REAL, pos_y REAL);" +
                               "INSERT INTO trajectory_data VALUES(10, 1, 0, 0), (12, 1, 0, -1), (14, 1, 0, -2);");
  const auto third = read_jupedsim_sqlite(path("v3.sqlite"));
  ASSERT_TRUE(third);
  EXPECT_EQ(third->frame_count(), 3u);              // every second frame …
  EXPECT_DOUBLE_EQ(third->frame_seconds, 2 * 0.1);  // … is two of them apart
  EXPECT_EQ(third->heading_y, (std::vector<float>{-1, -1, -1}));
}

TEST_F(JupedsimFile, hostile_and_broken_files_are_refused_with_words) {
  const std::string start = std::string(kMetadata) + kTable;
  expect_refused("CREATE TABLE something(x)", "trajectory_data");
  expect_refused(kTable, "metadata");
  expect_refused(std::string(kTable) + "CREATE TABLE metadata(key TEXT, value TEXT)", "fps");
  expect_refused(std::string(kTable) + "CREATE TABLE metadata(key, value); INSERT INTO metadata VALUES('fps', 'fast')", "fast");
  expect_refused(std::string(kTable) + "CREATE TABLE metadata(key, value); INSERT INTO metadata VALUES('fps', '0')",
                 "frame rate");
  expect_refused(std::string(kTable) + "CREATE TABLE metadata(key, value); INSERT INTO metadata VALUES('fps', 'nan')",
                 "frame rate");
  expect_refused(start, "nobody");
  expect_refused(std::string(kMetadata) + "CREATE TABLE trajectory_data(frame INTEGER, id INTEGER)", "pos_x");
  expect_refused(start + "INSERT INTO trajectory_data VALUES(0, 1, 'here', 0, 1, 0)", "pos_x");
  expect_refused(start + "INSERT INTO trajectory_data VALUES('a', 1, 0, 0, 1, 0)", "frame");
  expect_refused(start + "INSERT INTO trajectory_data VALUES(0, NULL, 0, 0, 1, 0)", "id");
  expect_refused(start + "INSERT INTO trajectory_data VALUES(0, -5, 0, 0, 1, 0)", "id -5");
  expect_refused(start + "INSERT INTO trajectory_data VALUES(0, 5000000000, 0, 0, 1, 0)", "id 5000000000");
  expect_refused(start + "INSERT INTO trajectory_data VALUES(0, 1, 9e9, 0, 1, 0)", "16384 m");
  expect_refused(start + "INSERT INTO trajectory_data VALUES(0, 1, 1e999, 0, 1, 0)", "16384 m");
  expect_refused(start + "INSERT INTO trajectory_data VALUES(0, 1, 0, 0, 1, 0), (0, 1, 1, 1, 1, 0)", "two rows");
  expect_refused(
      start + "INSERT INTO trajectory_data VALUES(0, 1, 0, 0, 1, 0), (1, 1, 0, 0, 1, 0), (9223372036854775807, 1, 0, 0, 1, 0)",
      "are allowed");
  expect_refused(std::string(kMetadata) +
                     "CREATE VIEW trajectory_data AS WITH RECURSIVE n(frame) AS (SELECT 0 UNION ALL SELECT frame + 1 FROM n) "
                     "SELECT frame, 1 AS id, 0.0 AS pos_x, 0.0 AS pos_y, 1.0 AS ori_x, 0.0 AS ori_y FROM n",
                 "trajectory_data");
  write(path("noise.sqlite"), std::string(5000, 'x'));
  EXPECT_FALSE(read_jupedsim_sqlite(path("noise.sqlite")));
  EXPECT_FALSE(read_jupedsim_sqlite(path("absent.sqlite")));
  EXPECT_FALSE(read_trajectory(path("absent.sqlite")));
}

TEST_F(JupedsimFile, damaged_files_give_an_error_or_sane_rows) {
  const std::string whole = slurp(written(walkers_trajectory(60, 10)));
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 400; ++round) {
    std::string bytes = whole;
    if (round % 4 == 0) bytes.resize(random() % bytes.size());
    // The schema and inner pages are at the start: damage there does most.
    for (std::uint32_t change = 0; change <= random() % 16 && !bytes.empty(); ++change)
      bytes[random() % std::min<std::size_t>(bytes.size(), round % 2 ? bytes.size() : 8192)] = static_cast<char>(random());
    write(path("damaged.sqlite"), bytes);
    const auto result = read_jupedsim_sqlite(path("damaged.sqlite"));
    if (!result) {
      ++refused;
      EXPECT_FALSE(result.problems().empty());
      continue;
    }
    for (std::size_t k = 0; k < result->frame_count(); ++k) {
      const FrameView frame = result->frame(k);
      for (std::size_t i = 0; i < frame.size(); ++i) EXPECT_TRUE(is_near(frame.x[i]) && is_near(frame.y[i]));
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace throng
