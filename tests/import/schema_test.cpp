// SPDX-License-Identifier: MIT
// The published schema and the worked example say what the reader does.
#include <nlohmann/json.hpp>

#include "fixtures.hpp"
#include "support/tree.hpp"

#if __has_include(<valijson/validator.hpp>)
#define THRONG_HAVE_VALIJSON
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#endif

namespace throng {
namespace {

std::string documentation(const char* file) { return slurp(test::source_dir() / "docs/formats" / file); }

std::string worked_example() {
  const std::string page = documentation("scene.md");
  const std::size_t start = page.find("```json\n") + 8;
  return page.substr(start, page.find("```", start) - start);
}

TEST(SceneDocumentation, the_worked_example_is_a_scene_of_the_area_it_claims) {
  const auto scene = read_scene_json(worked_example(), "hall.json");
  ASSERT_TRUE(scene) << problems_of(scene);
  EXPECT_DOUBLE_EQ(total_area(scene->layers[0].walkable) - total_area(scene->layers[0].obstacles), 190);
  EXPECT_EQ(scene->areas.size(), 2u);
  EXPECT_EQ(scene->profiles.size(), 2u);
}

#ifdef THRONG_HAVE_VALIJSON
TEST(SceneSchema, accepts_and_refuses_what_the_reader_does) {
  const auto schema_document = nlohmann::json::parse(documentation("scene.schema.json"));
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
  const auto valid = [&](const std::string& text) {
    const auto document = nlohmann::json::parse(text);
    valijson::Validator validator;
    return validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
  };
  const std::string square = "[[0,0],[4,0],[4,4],[0,4]]";
  const auto linked = [&](const std::string& links) {
    return R"({"throng_scene":1,"walkable":[)" + square + R"(],"areas":[{"name":"a","polygon":)" + square +
           R"(},{"name":"b","polygon":)" + square + R"(}],"links":[)" + links + "]}";
  };
  const std::vector<std::string> good{
      worked_example(),
      R"({"throng_scene":1,"walkable":[)" + square + "]}",
      R"({"throng_scene":1,"$schema":"x","comment":"y","origin":[1,2],"obstacles":[{"outer":)" + square +
          R"(,"holes":[],"comment":1}]})",
      R"({"throng_scene":1,"layers":[{"name":"a","elevation":1,"simplify":0.1,"seeds":[[1,1]],"walls":[[[0,0],[1,1],[2,1]]]}],"areas":[{"name":"x","layer":"a","polygon":)" +
          square + "}]}",
      R"({"throng_scene":1,"slope":[0.5,0],"speed_up":0.4,"speed_down":1,"walkable":[)" + square + "]}",
      linked(R"({"name":"lift","from":"a","to":"b","time":12,"capacity":8,"comment":1},{"from":"b","to":"a","time":0})"),
  };
  const std::vector<std::string> bad{
      "{}",
      R"({"throng_scene":2,"walkable":[)" + square + "]}",
      R"({"throng_scene":1,"walkabel":[],"walkable":[)" + square + "]}",
      R"({"throng_scene":1,"walkable":[[[0,0],[1,1]]]})",
      R"({"throng_scene":1,"walkable":[[[0,0],[1,1,1],[1,2]]]})",
      R"({"throng_scene":1,"walkable":[{"holes":[]}]})",
      R"({"throng_scene":1,"walkable":5})",
      R"({"throng_scene":1,"name":"","walkable":[)" + square + "]}",
      R"({"throng_scene":1,"layers":[]})",
      R"({"throng_scene":1,"layers":[{"walkable":[)" + square + R"(]}],"walkable":[]})",
      R"({"throng_scene":1,"walls":[[[0,0]]]})",
      R"({"throng_scene":1,"walkable":[)" + square + R"(],"areas":[{"polygon":)" + square + "}]}",
      R"({"throng_scene":1,"walkable":[)" + square + R"(],"areas":[{"name":"x"}]})",
      R"({"throng_scene":1,"walkable":[)" + square + R"(],"areas":[{"name":"x","cost":0.5,"polygon":)" + square + "}]}",
      R"({"throng_scene":1,"walkable":[)" + square + R"(],"profiles":[{"radius":-1}]})",
      R"({"throng_scene":1,"walkable":[)" + square + R"(],"profiles":[{"radius":"big"}]})",
      R"({"throng_scene":1,"simplify":2,"walkable":[)" + square + "]}",
      R"({"throng_scene":1,"slope":[0.5,0],"speed_down":2,"walkable":[)" + square + "]}",
      linked(R"({"from":"a","time":12})"),
      linked(R"({"from":"a","to":"b","time":-1})"),
      linked(R"({"from":"a","to":"b","time":9999})"),
      linked(R"({"from":"a","to":"b","time":1,"capacity":1.5})"),
      linked(R"({"from":"a","to":"b","time":1,"speed":2})"),
      linked(R"({"from":0,"to":1,"time":1})"),
      linked("7"),
  };
  for (const std::string& text : good) {
    EXPECT_TRUE(read_scene_json(text, "good.json")) << text << problems_of(read_scene_json(text, "good.json"));
    EXPECT_TRUE(valid(text)) << text;
  }
  for (const std::string& text : bad) {
    EXPECT_FALSE(read_scene_json(text, "bad.json")) << text;
    EXPECT_FALSE(valid(text)) << text;
  }
}
#endif

}  // namespace
}  // namespace throng
