// SPDX-License-Identifier: MIT
// A hundred wrong command lines and files, with what the answer must say. Each answer names what is wrong and what to do, in
// three lines of a terminal at most, for five problems at most; it blames no file of the program's own, and stdout stays empty.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;

constexpr int kBad = 1, kUsage = 2;

struct WrongWords {
  std::string words;
  int status;
  std::vector<std::string> says;  ///< what is wrong, and what to do
};

const std::vector<WrongWords>& wrong_words() {
  static const std::vector<WrongWords> all = {
      // Verbs
      {"rnu bottleneck", kUsage, {"no verb \"rnu\"", "did you mean throng run?"}},
      {"drwa hall.json -o x.png", kUsage, {"no verb \"drwa\"", "throng draw?"}},
      {"chekc hall.json", kUsage, {"no verb \"chekc\"", "throng check?"}},
      {"Run bottleneck", kUsage, {"no verb \"Run\"", "throng run?"}},
      {"simulate bottleneck", kUsage, {"no verb \"simulate\"", "throng run?"}},
      {"plot bottleneck", kUsage, {"no verb \"plot\"", "throng draw?"}},
      {"view out", kUsage, {"no verb \"view\"", "throng studio?"}},
      {"convert out", kUsage, {"no verb \"convert\"", "throng export?"}},
      {"explode", kUsage, {"no verb \"explode\"", "there are demo, bake"}},
      {"help", kUsage, {"no verb \"help\"", "throng --help"}},
      {"version", kUsage, {"no verb \"version\"", "throng --version"}},
      {"bottleneck", kUsage, {"a verb comes before \"bottleneck\"", "throng run bottleneck"}},
      {"hall.json", kUsage, {"a verb comes before \"hall.json\"", "throng draw hall.json"}},
      {"--versoin", kUsage, {"no option --versoin", "--version?"}},
      {"--quiet run bottleneck", kUsage, {"--quiet stands before the verb", "throng run"}},
      {"bench", kUsage, {"the name of a bench is missing", "paths, bake"}},
      {"bench pahts", kUsage, {"no bench \"pahts\"", "throng bench paths?"}},
      // Options
      {"run bottleneck --sedd 4", kUsage, {"no option --sedd", "--seed?"}},
      {"run bottleneck --sedd=4", kUsage, {"no option --sedd", "--seed?"}},
      {"run bottleneck -seed 4", kUsage, {"no option -seed", "--seed, with two dashes"}},
      {"run --duratoin 5 bottleneck", kUsage, {"no option --duratoin", "--duration?"}},
      {"run bottleneck --show density", kUsage, {"no option --show", "throng draw"}},
      {"run bottleneck --nonsense", kUsage, {"no option --nonsense", "throng run --help"}},
      {"draw hall.json --outptu x.png", kUsage, {"no option --outptu", "--output?"}},
      {"draw out -o x.png --colour kind", kUsage, {"no option --colour", "--color?"}},
      {"compare bottleneck --model reactive", kUsage, {"no option --model", "--models?"}},
      {"bake hall.json --keypoints 3", kUsage, {"no option --keypoints", "--key-points?"}},
      {"run bottleneck --seed", kUsage, {"--seed has no value", "random numbers"}},
      {"run bottleneck --seed 1 --seed 2", kUsage, {"--seed is given 2 times", "once"}},
      {"run bottleneck --seed many", kUsage, {"--seed many found", "a whole number"}},
      {"run bottleneck --seed 1.5", kUsage, {"--seed 1.5 found", "a whole number"}},
      {"run bottleneck --seed -1", kUsage, {"--seed -1 found", "a whole number"}},
      {"run bottleneck --duration long", kUsage, {"--duration long found", "a number"}},
      {"run bottleneck --duration -5", kUsage, {"--duration -5 found", "from 0 to"}},
      {"run bottleneck --threads two", kUsage, {"--threads two found", "a whole number"}},
      {"run bottleneck --quiet=maybe", kUsage, {"--quiet takes no value", "alone"}},
      {"bake hall.json --key-points 9", kUsage, {"--key-points 9 found", "from 1 to 8"}},
      {"bake hall.json --structure grahp", kUsage, {"--structure grahp found", "did you mean graph?"}},
      {"path hall.json --from 1,1 --to 2,2 --planner shortset", kUsage, {"--planner shortset found", "did you mean shortest?"}},
      {"path hall.json --from 1,1 --to 2,2 --planner magic", kUsage, {"--planner magic found", "hierarchy, zones", "choose one"}},
      {"path hall.json --from 1,1 --to 2,2 --radius -1", kUsage, {"--radius -1 found", "from 0 to 100"}},
      {"draw hall.json -o x.png --width 5", kUsage, {"--width 5 found", "from 64 to"}},
      {"draw out -o x.png --show densty", kUsage, {"--show densty found", "did you mean density?"}},
      {"draw out -o x.mp4 --fps 0", kUsage, {"--fps 0 found", "from 1 to 120"}},
      {"export out -o x.txt --unit mm", kUsage, {"--unit mm found", "m, cm"}},
      {"why out --agent one --time 1", kUsage, {"--agent one found", "a whole number"}},
      {"why out --agent 1 --time -1", kUsage, {"--time -1 found", "0 or more"}},
      {"validate --seeds 0", kUsage, {"--seeds 0 found", "from 1 to 1000"}},
      // Parts that are missing, or too many
      {"run", kUsage, {"SCENARIO is missing", "for example: throng run bottleneck"}},
      {"draw hall.json", kUsage, {"--output is missing", "for example: throng draw"}},
      {"export out", kUsage, {"--output is missing", "for example: throng export"}},
      {"why out", kUsage, {"--agent is missing", "--time is missing", "for example"}},
      {"path hall.json", kUsage, {"no question to answer", "--from X,Y"}},
      {"path hall.json --from 1,1", kUsage, {"no question to answer", "--to X,Y"}},
      {"run bottleneck circle_swap", kUsage, {"\"circle_swap\" is one word too many", "for example"}},
      {"draw hall.json -o x.png --from 1,1", kUsage, {"1 --from and 0 --to", "as many"}},
      {"bake hall.json --structure graph -o x.nav", kUsage, {"a graph is baked anew", "leave -o"}},
      // Names that lead nowhere
      {"run bottlenek", kBad, {"bottlenek: there is no such file", "did you mean bottleneck?"}},
      {"run BOTTLENECK", kBad, {"BOTTLENECK: there is no such file", "did you mean bottleneck?"}},
      {"run nothing_like_it", kBad, {"nothing_like_it: there is no such file", "one of boarding_train"}},
      {"run missing.json", kBad, {"missing.json: there is no such file", "check the name"}},
      {"run \"\"", kBad, {"there is no such file", "name a file"}},
      {"draw bottlenek -o x.png", kBad, {"bottlenek: there is no such file", "did you mean bottleneck?"}},
      {"check offce:40", kBad, {"offce:40: there is no such file", "did you mean office:40?"}},
      {"bake citty:200", kBad, {"citty:200: there is no such file", "did you mean city:200?"}},
      {"bake city:many", kBad, {"city:many: the number of buildings", "city:2600"}},
      {"bake missing.nav", kBad, {"missing.nav: there is no such file", "check the name"}},
      {"compare bottlenek", kBad, {"bottlenek: there is no such file", "did you mean bottleneck?"}},
      {"export missing.sqlite -o x.txt", kBad, {"missing.sqlite: there is no such file", "a recording or a trajectory file"}},
      {"groups missing.txt", kBad, {"missing.txt: there is no such file", "a recording or a trajectory file"}},
      {"why missing --agent 1 --time 1", kBad, {"missing: there is no such file", "a recording is needed"}},
      {"draw empty_folder -o x.png", kBad, {"empty_folder: this folder holds no recording", "throng run -o"}},
      {"run empty_folder", kBad, {"empty_folder: this folder holds no recording", "throng run -o"}},
      {"validate rimea_99", kBad, {"rimea_99: there is no such case", "did you mean rimea_9?"}},
      {"validate evacuation", kBad, {"evacuation: there is no such case", "name some of those"}},
      // The wrong thing for the verb
      {"run hall.json", kBad, {"this is a scene without people", "write a scenario"}},
      {"run plan.geojson", kBad, {"this is a scene without people", "throng draw plan.geojson"}},
      {"run city:60", kBad, {"this is a scene without people", "\"scene\": \"city:60\""}},
      {"run hall.nav", kBad, {"this is a baked scene", "throng draw and throng path"}},
      {"run walk.txt", kBad, {"this is a trajectory file", "throng draw, groups and export"}},
      {"run walk.sqlite", kBad, {"this is a trajectory file", "throng draw, groups and export"}},
      {"compare hall.json", kBad, {"this is a scene without people", "write a scenario"}},
      {"compare out", kBad, {"this is a recording", "throng draw, check, why"}},
      {"export good.json -o x.txt", kBad, {"this is a scenario", "throng run good.json -o"}},
      {"export bottleneck -o x.txt", kBad, {"this is a scenario", "throng run bottleneck -o"}},
      {"export hall.json -o x.txt", kBad, {"this is a scene without people", "throng draw hall.json"}},
      {"groups good.json", kBad, {"this is a scenario", "throng run good.json -o"}},
      {"why good.json --agent 1 --time 1", kBad, {"this is a scenario", "throng run good.json -o"}},
      {"why walk.txt --agent 1 --time 1", kBad, {"this is a trajectory file", "throng draw, groups and export"}},
      {"bake out", kBad, {"this is a recording", "throng draw"}},
      {"path walk.txt --from 1,1 --to 2,2", kBad, {"this is a trajectory file", "throng draw"}},
      {"check walk.sqlite", kBad, {"this is a trajectory file", "throng draw"}},
      {"check hall.nav", kUsage, {"nothing left to examine", "the scene it was baked from"}},
      {"draw bottleneck -o x.png --show density",
       kUsage,
       {"--show density is for recordings", "run it first: throng run bottleneck"}},
      {"draw hall.json -o x.png --show frame", kUsage, {"--show frame is for recordings", "throng draw hall.json"}},
      {"export table.h5 -o x.txt", kBad, {"HDF5", "convert it"}},
      {"groups notes.md", kBad, {"a recording or a trajectory file is needed", "check the name"}},
      {"run good.json --from 3", kBad, {"--from goes with recordings", "leave it out"}},
      {"run out --seed 4", kBad, {"its seed and model", "run the scenario itself"}},
      // Values that only the scenario can tell
      {"run bottleneck --model sfm",
       kBad,
       {"--model: there is no model \"sfm\"", "reactive, reactive_2004", "choose one of them"}},
      {"run bottleneck --model reynlods", kBad, {"--model: there is no model \"reynlods\"", "did you mean reynolds?"}},
      {"compare bottleneck --models reactive,sfm --duration 1",
       kBad,
       {"--models: there is no model \"sfm\"", "choose one of them"}},
      {"run bottleneck --seed 18446744073709551615", kBad, {"--seed: 18446744073709551615 found", "a smaller one"}},
      {"why out --agent 999 --time 0.5", kBad, {"999", "("}},
      {"draw hall.json -o x.bmp", kBad, {"x.bmp", "("}},
      {"draw hall.json -o no/such/folder/x.png", kBad, {"no/such/folder/x.png", "("}},
      {"draw hall.json -o x.png --crop 5,5,1,1", kBad, {"--crop: \"5,5,1,1\" is not a rectangle", "X0 < X1"}},
      {"path hall.json --from 1:1 --to 2,2", kBad, {"--from: \"1:1\" is not a place", "X,Y"}},
      {"path hall.json --from here --to 2,2", kBad, {"--from: \"here\" is not a place", "X,Y"}},
      // Files
      {"run typo_key.json", kBad, {"/populatoins: unknown key", "write \"populations\""}},
      {"check typo_key.json", kBad, {"/populatoins: unknown key", "write \"populations\""}},
      {"draw typo_key.json -o x.png", kBad, {"/populatoins: unknown key", "write \"populations\""}},
      {"run typo_plan.json", kBad, {"/populations/0/plan: the string \"thruogh\"", "write \"through\""}},
      {"run typo_model.json", kBad, {"/populations/0/model: the string \"reactiv\"", "write \"reactive\""}},
      {"run typo_door.json", kBad, {"close_door: the string \"gaet\"", "there is gate", "write \"gate\""}},
      {"run many_typos.json", kBad, {"/populations/0/countt", "7 more problems"}},
      {"draw typo_scene.json -o x.png", kBad, {"/walkabel: unknown key", "write \"walkable\""}},
      {"bake empty.json", kBad, {"empty.json: the file is empty", "check how it was written"}},
      {"run half.json", kBad, {"half.json: parse error at line 1", "complete JSON document"}},
      {"bake notes.md", kBad, {"notes.md: the file has no outline", "add a walkable polygon"}},
      {"groups bare.txt", kBad, {"line 1: rows begin", "--unit m", "frame rate", "--fps"}},
      {"draw bare.txt -o x.png", kBad, {"line 1: rows begin", "--unit m", "frame rate", "--data-fps"}},
      {"path hall.json --queries missing.csv", kBad, {"missing.csv: there is no such file", "check the path"}},
  };
  return all;
}

class WrongWordsTest : public ::testing::Test {
 protected:
  struct Answer {
    int status = -1;
    std::string out, err;
  };

  static void SetUpTestSuite() {
    folder_ = fs::temp_directory_path() / ("throng_words_" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "empty_folder");
    constexpr std::string_view kGround = R"("walkable": [[[0, 0], [20, 0], [20, 10], [0, 10]]])";
    const auto scenario = [&](const std::string& people, const std::string& more = "") {
      return R"({"throng_scenario": 1, "scene": {"throng_scene": 1, )" + std::string(kGround) +
             R"(, "areas": [{"name": "gate", "polygon": [[9, 4], [10, 4], [10, 5], [9, 5]]}]},
        "areas": {"in": {"box": [1, 1, 4, 9]}, "out": {"box": [16, 1, 19, 9]}},
        "plans": {"through": {"goals": ["out"], "end": "leave"}}, )" +
             people + more + "}";
    };
    const std::string good = R"("populations": [{"area": "in", "count": 3, "plan": "through"}])";
    write("hall.json", R"({"throng_scene": 1, )" + std::string(kGround) + "}");
    write("good.json", scenario(good));
    write("typo_key.json", scenario(R"("populatoins": [])"));
    write("typo_plan.json", scenario(R"("populations": [{"area": "in", "count": 3, "plan": "thruogh"}])"));
    write("typo_model.json", scenario(R"("populations": [{"area": "in", "count": 3, "plan": "through", "model": "reactiv"}])"));
    write("typo_door.json", scenario(good, R"(, "events": [{"time": 1, "actions": [{"close_door": "gaet"}]}])"));
    std::string typos = R"("populations": [)";
    for (int i = 0; i < 12; ++i) typos += std::string(i ? "," : "") + R"({"area": "in", "count": 1, "countt": 1})";
    write("many_typos.json", scenario(typos + "]"));
    write("typo_scene.json", R"({"throng_scene": 1, "walkabel": []})");
    write("empty.json", "");
    write("half.json", R"({"throng_scenario": 1, "scene": )");
    write("notes.md", "# What I meant to do\n");
    write("table.h5", "\x89HDF\r\n\x1a\n and so on");
    write("plan.geojson", R"({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"walkable": true},
      "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [20, 0], [20, 10], [0, 10], [0, 0]]]}}]})");
    std::string rows;
    for (int frame = 0; frame < 40; ++frame) rows += "1 " + std::to_string(frame) + " " + std::to_string(0.05 * frame) + " 2 0\n";
    write("bare.txt", rows);
    write("walk.txt", "# framerate: 10 fps\n# id frame x/m y/m z/m\n" + rows);
    for (const char* words :
         {"bake hall.json -o hall.nav", "run good.json -o out --duration 1 --allow-lost", "export walk.txt -o walk.sqlite"})
      ASSERT_EQ(run(words).status, 0) << words << "\n" << run(words).err;
  }
  static void TearDownTestSuite() {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  static void write(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }
  static std::string slurp(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static Answer run(const std::string& words) {
    const std::string command = "cd '" + folder_.string() + "' && LSAN_OPTIONS=print_suppressions=0 timeout 60 '" + test::binary_dir().string() + "/bin/throng' " +
                                words + " >stdout 2>stderr </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 255, slurp(folder_ / "stdout"), slurp(folder_ / "stderr")};
  }
  static std::size_t columns(const std::string& line) {
    return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  }

  static inline fs::path folder_;
};

TEST_F(WrongWordsTest, ThereAreAHundred) { EXPECT_GE(wrong_words().size(), 100u); }

TEST_F(WrongWordsTest, EachAnswerSaysWhatIsWrongAndWhatToDo) {
  for (const WrongWords& wrong : wrong_words()) {
    SCOPED_TRACE("throng " + wrong.words);
    const Answer answer = run(wrong.words);
    EXPECT_EQ(answer.status, wrong.status) << answer.err;
    EXPECT_EQ(answer.out, "");
    for (const std::string& needle : wrong.says)
      EXPECT_NE(answer.err.find(needle), std::string::npos) << needle << "\n" << answer.err;
    std::istringstream lines(answer.err);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      EXPECT_TRUE(line.starts_with("throng")) << line;
      EXPECT_LE(columns(line), 300u) << line;
    }
    EXPECT_GE(count, 1u);
    EXPECT_LE(count, 6u) << answer.err;
    // The program's own files are never to blame.
    EXPECT_EQ(answer.err.find("scenes/"), std::string::npos) << answer.err;
    EXPECT_EQ(answer.err.find("/share/"), std::string::npos) << answer.err;
  }
}

TEST_F(WrongWordsTest, WithJsonTheProblemsAreOneDocument) {
  for (const WrongWords& wrong : wrong_words()) {
    if (wrong.words.starts_with("--") || wrong.words.ends_with("--seed")) continue;
    SCOPED_TRACE("throng " + wrong.words + " --json");
    const Answer answer = run(wrong.words + " --json");
    EXPECT_EQ(answer.status, wrong.status) << answer.err;
    const nlohmann::json document = nlohmann::json::parse(answer.out, nullptr, false);
    ASSERT_TRUE(document.is_object() && document.contains("problems")) << answer.out;
    ASSERT_FALSE(document["problems"].empty());
    bool is_advised = false;
    for (const nlohmann::json& problem : document["problems"]) {
      EXPECT_FALSE(problem.at("what").get<std::string>().empty());
      is_advised = is_advised || !problem.at("fix").get<std::string>().empty();
    }
    EXPECT_TRUE(is_advised) << answer.out;
  }
}

TEST_F(WrongWordsTest, TheStudioSaysAtOnceThatThereIsNoSuchFile) {
  if (run("--help").out.find("studio") == std::string::npos) GTEST_SKIP() << "built without the studio";
  const Answer missing = run("studio nofile.json --no-open --port 0");
  EXPECT_EQ(missing.status, kBad);
  EXPECT_EQ(missing.out, "");
  EXPECT_NE(missing.err.find("nofile.json: there is no such file"), std::string::npos) << missing.err;
  EXPECT_EQ(missing.err.find("/api/"), std::string::npos) << missing.err;
  const Answer near = run("studio bottlenek --no-open --port 0");
  EXPECT_EQ(near.status, kBad);
  EXPECT_NE(near.err.find("did you mean bottleneck?"), std::string::npos) << near.err;
}

/// The control: the same files and words, written right.
TEST_F(WrongWordsTest, RightWordsAreAnsweredWithoutAWordOnStderr) {
  for (const char* words :
       {"run good.json --seed 4", "run bottleneck --duration 12 --model reynolds", "check hall.json",
        "check good.json", "bake bottleneck", "path bottleneck --from 5,0 --to 5,1 --radius 0 --at 5,5",
        "draw bottleneck -o x.png", "draw good.json -o x.svg", "draw out -o x.png --show trails", "export out -o x.txt",
        "groups out", "groups bare.txt --unit m --fps 10", "draw bare.txt -o x.png --unit cm --data-fps 10",
        "why out --agent 1 --time 0.5", "draw office:6 -o x.svg"}) {
    const Answer answer = run(words);
    EXPECT_EQ(answer.status, 0) << words << "\n" << answer.err;
    EXPECT_EQ(answer.err, "") << words;
    EXPECT_NE(answer.out, "") << words;
  }
}

}  // namespace
}  // namespace throng
