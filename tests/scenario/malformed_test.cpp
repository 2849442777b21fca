// SPDX-License-Identifier: MIT
// Scenarios that are wrong in every way we could think of: each must be told where, what was found, and how to mend it.
#include "fixtures.hpp"

namespace throng {
namespace {

struct Case {
  std::string text;
  std::string where;  ///< the whole JSON pointer
  std::string what;   ///< part of what is said
  std::string fix;    ///< part of how to mend it
};

std::string people(const std::string& keys) { return hall("\"populations\": [{" + keys + "}]"); }
std::string source(const std::string& keys) { return hall("\"sources\": [{" + keys + "}]"); }
std::string kind(const std::string& keys) { return hall("\"kinds\": {\"k\": {" + keys + "}}"); }
std::string model(const std::string& keys) { return hall("\"models\": {\"m\": {" + keys + "}}"); }
std::string settings(const std::string& keys) { return hall("\"settings\": {" + keys + "}"); }
std::string area(const std::string& value) {
  return R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[9,0],[9,9]]]}, "areas": {"a": )" + value +
         "}}";
}

std::string flow_goal(const std::string& goal) {
  return R"({"throng_scenario": 1, "scene": "office:4", "areas": {"west": {"box": [0,0,4,4]}, "east": {"box": [8,0,12,4]}},
             "flows": {"f": {"between": ["west", "east"]}}, "plans": {"p": {"goals": [)" +
         goal + "]}}}";
}

std::vector<Case> cases() {
  return {
      // The document.
      {"", "", "parse error", "JSON"},
      {"{", "", "line 1", "JSON"},
      {"[1, 2]", "", "an array of 2 found", "scenario.md"},
      {R"({"throng_scenario": 1, "throng_scenario": 1})", "/throng_scenario", "twice", "remove"},
      {R"({"scene": "city:5"})", "/throng_scenario", "missing", "throng_scenario"},
      {R"({"throng_scenario": 3, "scene": "city:5"})", "/throng_scenario", "the number 3", "write"},
      {R"({"throng_scenario": "1", "scene": "city:5"})", "/throng_scenario", "the string \"1\"", "write"},
      {hall(R"("popluations": [])"), "/popluations", "unknown key", "write \"populations\""},
      {hall(R"("weather": "rain")"), "/weather", "unknown key; allowed here: throng_scenario", "remove"},
      {hall(R"("name": "")"), "/name", "not empty", "quotes"},
      {hall(R"("description": 5)"), "/description", "the number 5", "quotes"},
      // The scene.
      {R"({"throng_scenario": 1})", "/scene", "missing", "scene"},
      {R"({"throng_scenario": 1, "scene": 5})", "/scene", "the number 5", "quotes"},
      {R"({"throng_scenario": 1, "scene": "no/such/file.json"})", "/scene", "no/such/file.json", ""},
      {R"({"throng_scenario": 1, "scene": "city:0"})", "/scene", "1 to 100000", "city:2600"},
      {R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[9,0]]]}})", "/scene/walkable/0", "at least 3",
       ""},
      {R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkabel": []}})", "/scene/walkabel", "unknown key", "walkable"},
      // Areas.
      {area(R"([[0,0],[1,1]])"), "/areas/a", "2 different points", "corners"},
      {area(R"([[0,0],[4,4],[4,0],[0,5]])"), "/areas/a", "crosses itself", "reorder"},
      {area(R"({"box": [0,0,1]})"), "/areas/a/box", "an array of 3", "lower corner"},
      {area(R"({"box": [5,5,1,1]})"), "/areas/a/box", "x low", "lower corner"},
      {area(R"({"layer": 0})"), "/areas/a", "neither \"polygon\" nor \"box\"", "box"},
      {area(R"({"box": [0,0,1,1], "polygon": [[0,0],[1,0],[1,1]]})"), "/areas/a/box", "exclude each other", "remove"},
      {area(R"({"box": [0,0,1,1], "layer": 3})"), "/areas/a/layer", "from 0 to 0", "range"},
      {area(R"({"box": [0,0,1,1], "layer": "roof"})"), "/areas/a/layer", "the name of a layer", "name one"},
      {area("7"), "/areas/a", "the number 7", ""},
      {area(R"([[0,0],[1e6,0],[1,1]])"), "/areas/a/1", "16000", "metres"},
      {R"({"throng_scenario": 1, "scene": "office:2", "areas": {"room 1": {"box": [0,0,1,1]}}})", "/areas/room 1", "already",
       "another name"},
      // Kinds.
      {kind(R"("radius": 0)"), "/kinds/k/radius", "radius in m from 0.05 to 2", "range"},
      {kind(R"("radius": "wide")"), "/kinds/k/radius", "the string \"wide\"", "number"},
      {kind(R"("radius": {"normal": {"mean": 0.2, "deviation": 0.1, "low": 0.01}})"), "/kinds/k/radius/normal/low", "0.05",
       "range"},
      {kind(R"("radius": {"normal": {"mean": 0.2}})"), "/kinds/k/radius/normal/deviation", "missing", "add"},
      {kind(R"("radius": {"normal": {"mean": 0.2, "deviation": 0.1, "low": 0.3, "high": 0.2}})"), "/kinds/k/radius/normal",
       "above high", "exchange"},
      {kind(R"("radius": {"uniform": [0.4, 0.2]})"), "/kinds/k/radius/uniform", "smaller first", "smaller"},
      {kind(R"("radius": {"uniform": [0.4, 0.5], "list": [0.2]})"), "/kinds/k/radius", "2 forms", "uniform"},
      {kind(R"("radius": {"gamma": [0.4, 0.5]})"), "/kinds/k/radius/gamma", "unknown key", "remove"},
      {kind(R"("radius": {"choices": [0.2, 0.3], "weights": [1]})"), "/kinds/k/radius/weights", "1 weights found for 2 choices",
       "add"},
      {kind(R"("radius": {"choices": [0.2], "weights": [0]})"), "/kinds/k/radius/weights", "all weights are 0", "weight"},
      {kind(R"("radius": {"list": []})"), "/kinds/k/radius/list", "empty", "add"},
      {kind(R"("prefered_speed": 1)"), "/kinds/k/prefered_speed", "unknown key", "write \"preferred_speed\""},
      {kind(R"("base": "adutl")"), "/kinds/k/base", "the name of a kind", "write \"adult\""},
      {hall(R"("kinds": {"a": {"base": "b"}, "b": {"base": "a"}})"), "/kinds/a/base", "circle", "adult"},
      {hall(R"("kinds": {"adult": {}})"), "/kinds/adult", "already", "another name"},
      // Models.
      {model(R"("base": "social_force")"), "/models/m/base", "allowed: reactive, reactive_2004", "choose"},
      {model(R"("base": "linear", "margin": 1)"), "/models/m/margin", "unknown key", "remove"},
      {model(R"("base": "reynolds", "squeeze": true)"), "/models/m/squeeze", "unknown key", "remove"},
      {model(R"("base": "reynolds", "steer_time": 0)"), "/models/m/steer_time", "from 0.01 to 10", "range"},
      {model(R"("base": "short_term", "squeeze": true)"), "/models/m/squeeze", "unknown key", "remove"},
      {model(R"("base": "short_term_2008", "tile": 0)"), "/models/m/tile", "from 0.25 to 10", "range"},
      {model(R"("base": "continuum", "tile": 0.1)"), "/models/m/tile", "from 0.25 to 10", "range"},
      {model(R"("base": "continuum", "field": 3)"), "/models/m/field", "the number 3", ""},
      {model(R"("base": "continuum", "field": {"tile": 3})"), "/models/m/field/tile", "unknown key", "remove"},
      {model(R"("base": "continuum", "field": {"prediction_time": -1})"), "/models/m/field/prediction_time", "from 0 to 60",
       "range"},
      {hall(R"("models": {"short_term": {}})"), "/models/short_term", "there is already a model", "another name"},
      {people(R"("count": 5, "model": "shortterm")"), "/populations/0/model", "the name of a model", "write \"short_term\""},
      {model(R"("table": "drivingrule")"), "/models/m/table", "allowed: driving_rule", "write \"driving_rule\""},
      {model(R"("wrong_side": 0.5)"), "/models/m/wrong_side", "keep_right", "table"},
      {model(R"("max_pops": 2.5)"), "/models/m/max_pops", "whole number", "fraction"},
      {model(R"("prediction": 1)"), "/models/m/prediction", "true or false", "without quotes"},
      {model(R"("table": {"front": {"jump": {}}})"), "/models/m/table/front/jump", "unknown key", "remove"},
      {model(R"("table": {"front": {"left": {"factor": 2}}})"), "/models/m/table/front/left/factor", "from 0 to 1", "range"},
      {model(R"("table": {"accepts": ["side"]})"), "/models/m/table/accepts/0", "allowed: static, rear", "choose"},
      {hall(R"("settings": {"detail": {"patch": "room"}})"), "/settings/detail/patch", "cell, disc", "choose one"},
      // Flows.
      {hall(R"("flows": [])"), "/flows", "an array", ""},
      {hall(R"("flows": {"f": {}})"), "/flows/f/between", "missing", "add"},
      {hall(R"("flows": {"f": {"between": ["west"]}})"), "/flows/f/between", "two different areas", "[\"a\", \"b\"]"},
      {hall(R"("flows": {"f": {"between": ["west", "west"]}})"), "/flows/f/between", "two different areas", "[\"a\", \"b\"]"},
      {hall(R"("flows": {"f": {"between": ["west", "moon"]}})"), "/flows/f/between/1", "the string \"moon\"", ""},
      {hall(R"("flows": {"f": {"between": ["west", "east"], "choice": "mood"}})"), "/flows/f/choice", "the string \"mood\"", ""},
      {hall(R"("flows": {"f": {"between": ["west", "east"], "max_ratio": 0.5}})"), "/flows/f/max_ratio", "the number 0.5",
       "range"},
      {hall(R"("graph": {"grid_step": 1, "min_radius": 1})"), "/graph/min_radius", "one and a half grid steps", "larger"},
      {flow_goal(R"({"area": "east", "flow": "g"})"), "/plans/p/goals/0/flow", "the string \"g\"", ""},
      {flow_goal(R"({"point": [1, 1], "flow": "f"})"), "/plans/p/goals/0/flow", "does not end in the goal",
       "one of the two areas"},
      {people(R"("count": 4, "flow": "f")"), "/populations/0/flow", "the string \"f\"", ""},
      {hall(R"("flows": {"f": {"between": ["west", "east"]}}, "populations": [{"count": 4, "flow": "f", "area": "west"}])"),
       "/populations/0/area", "exclude each other", "remove"},
      {hall(R"("settings": {"detail": {"viewpoint": {}}})"), "/settings/detail/viewpoint/position", "missing", "add"},
      {hall(R"("settings": {"detail": {"viewpoint": {"position": [1, 1], "direction": [0, 0]}}})"),
       "/settings/detail/viewpoint/direction", "a direction has a length", "east"},
      {hall(R"("settings": {"detail": {"most_frequency": 3}})"), "/settings/detail", "below least_frequency", "exchange"},
      // Regions and vehicles.
      {settings(R"("interest": {"regions": {"r": {}}})"), "/settings/interest/regions/r", "neither \"centre\" nor \"follow\"",
       "add"},
      {settings(R"("interest": {"regions": {"r": {"follow": "car"}}})"), "/settings/interest/regions/r/follow", "there is none",
       "define it"},
      {settings(R"("interest": {"regions": {"r": {"centre": [1, 1], "radius": 0}}})"), "/settings/interest/regions/r/radius",
       "from 0.1", "range"},
      {settings(R"("interest": {"regions": {"r": {"centre": [1, 1], "level": 1.5}}})"), "/settings/interest/regions/r/level",
       "whole number", "fraction"},
      {settings(R"("interest": {"regions": [1]})"), "/settings/interest/regions", "an array", ""},
      {settings(R"("interest": {"levels": [{}, {}]})"), "/settings/interest/levels", "2 levels found", "level 0"},
      {settings(R"("interest": {"levels": [{"model": "magic"}, {}, {}]})"), "/settings/interest/levels/0/model",
       "the name of a model", "name one"},
      {settings(R"("interest": {"levels": [{"guidance": "stars"}, {}, {}]})"), "/settings/interest/levels/0/guidance",
       "field, corridor", "choose"},
      {settings(R"("interest": {"camera": {}})"), "/settings/interest/camera/position", "missing", "add"},
      {settings(R"("interest": {}, "detail": {})"), "/settings/interest", "exclude each other", "remove"},
      {hall(R"("vehicles": {"v": {}})"), "/vehicles/v/path", "missing", "add"},
      {hall(R"("vehicles": {"v": {"path": [[1, 1], [1, 1]]}})"), "/vehicles/v/path", "leads nowhere", "add"},
      {hall(R"("vehicles": {"v": {"path": [[1, 1], [2, 1]], "hurry": 0}})"), "/vehicles/v/hurry", "from 1 to 5", "range"},
      // Plans.
      {hall("", R"("p": {"goals": ["nowhere"]})"), "/plans/p/goals/0", "there is east, middle, west", "name one"},
      {hall("", R"("p": {"goals": ["eats"]})"), "/plans/p/goals/0", "the string \"eats\"", "write \"east\""},
      {hall("", R"("p": {"goals": []})"), "/plans/p/goals", "no goal", "add"},
      {hall("", R"("p": {"goals": [{"wait": 3}]})"), "/plans/p/goals/0", "neither \"area\" nor \"point\"", "add"},
      {hall("", R"("p": {"goals": [{"area": "east", "point": [1, 1]}]})"), "/plans/p/goals/0/point", "exclude", "remove"},
      {hall("", R"("p": {"goals": [{"area": "east", "wait": -1}]})"), "/plans/p/goals/0/wait", "from 0 to", "range"},
      {hall("", R"("p": {"goals": [{"area": "east", "wait": {"list": [1]}}]})"), "/plans/p/goals/0/wait", "uniform", "uniform"},
      {hall("", R"("p": {"goals": [{"point": [1]}]})"), "/plans/p/goals/0/point", "a point is [x, y]", "two numbers"},
      {hall("", R"("p": {"goals": ["east"], "end": "vanish"})"), "/plans/p/end", "allowed: stay, leave, loop, wander", "choose"},
      // Populations.
      {people(R"("area": "west")"), "/populations/0", "neither \"count\" nor \"density\"", "count"},
      {people(R"("count": 5, "density": 1)"), "/populations/0/density", "exclude", "remove"},
      {people(R"("count": -5)"), "/populations/0/count", "the number -5", "range"},
      {people(R"("count": 2000000)"), "/populations/0/count", "1e+06", "range"},
      {people(R"("count": 5, "area": "nort")"), "/populations/0/area", "the string \"nort\"", ""},
      {people(R"("count": 5, "kinds": {"adult": 0})"), "/populations/0/kinds", "all weights are 0", "weight"},
      {people(R"("count": 5, "kinds": {"adult": "much"})"), "/populations/0/kinds/adult", "the string \"much\"", "number"},
      {people(R"("count": 5, "kinds": ["adult"])"), "/populations/0/kinds", "names with weights", "name"},
      {people(R"("count": 5, "plan": "walk")"), "/populations/0/plan", "there is cross", "name one"},
      {people(R"("count": 5, "model": "reactiv")"), "/populations/0/model", "the name of a model", "write \"reactive\""},
      {people(R"("count": 5, "profile": "dog")"), "/populations/0/profile", "there is cart, person", "name one"},
      {people(R"("count": 5, "plan": "cross", "heading": [1, 0])"), "/populations/0/heading", "exclude", "remove"},
      {people(R"("count": 5, "heading": [0, 0])"), "/populations/0/heading", "no direction", "[1, 0]"},
      {people(R"("count": 5, "heading_time": 3)"), "/populations/0/heading_time", "without random headings", "random"},
      {people(R"("count": 5, "placement": "hex")"), "/populations/0/placement", "allowed: random, grid", "choose"},
      {people(R"("count": 5, "placement": "grid")"), "/populations/0/placement", "without an area", "area"},
      {people(R"("positions": [[1, 1]], "goals": [[1, 1], [2, 2]])"), "/populations/0/goals", "2 goals found for 1 positions",
       "every position"},
      {people(R"("positions": [[1, 1]], "count": 1)"), "/populations/0/count", "exclude", "remove"},
      {people(R"("positions": [])"), "/populations/0/positions", "empty", "add"},
      {people(R"("count": 5, "groups": 2)"), "/populations/0/groups", "sizes of groups", "{\"1\": 2"},
      {people(R"("count": 5, "groups": {})"), "/populations/0/groups", "sizes of groups", "{\"1\": 2"},
      {people(R"("count": 5, "groups": {"0": 1})"), "/populations/0/groups/0", "from 1 to 12", "write"},
      {people(R"("count": 5, "groups": {"13": 1})"), "/populations/0/groups/13", "from 1 to 12", "write"},
      {people(R"("count": 5, "groups": {"two": 1})"), "/populations/0/groups/two", "from 1 to 12", "write"},
      {people(R"("count": 5, "groups": {"1": -1})"), "/populations/0/groups/1", "the number -1", "range"},
      {people(R"("count": 5, "groups": {"1": 0})"), "/populations/0/groups", "all weights are 0", "weight"},
      {people(R"("count": 5, "groups": {"2": 1})"), "/populations/0/groups", "groups of 2 people of 1 kind", "more kinds"},
      {people(R"("count": 5, "groups": {"1": 1}, "kinds": "child")"), "/populations/0/groups", "children only", "adult"},
      {people(R"("positions": [[1, 1]], "groups": {"1": 1})"), "/populations/0/positions", "exclude", "remove"},
      {people(R"("count": 5, "pre_movement": "soon")"), "/populations/0/pre_movement", "the string \"soon\"", "number"},
      {hall(R"("populations": {"count": 5})"), "/populations", "is an array", "brackets"},
      {hall(R"("populations": [5])"), "/populations/0", "the number 5", "scenario.md"},
      // Sources.
      {source(R"("rate": 1)"), "/sources/0/area", "missing", "add"},
      {source(R"("area": "west")"), "/sources/0", "neither \"rate\" nor \"timetable\"", "rate"},
      {source(R"("area": "west", "rate": 1, "timetable": [{"at": 1}])"), "/sources/0/rate", "exclude", "remove"},
      {source(R"("area": "west", "rate": -1)"), "/sources/0/rate", "from 0 to 1000", "range"},
      {source(R"("area": "west", "rate": 1, "from": 9, "until": 3)"), "/sources/0/until", "before it begins", "exchange"},
      {source(R"("area": "west", "rate": 1, "arrivals": "bursts")"), "/sources/0/arrivals", "poisson, regular", "choose"},
      {source(R"("area": "west", "timetable": [{"count": 3}])"), "/sources/0/timetable/0/at", "missing", "add"},
      {source(R"("area": "west", "timetable": [])"), "/sources/0/timetable", "empty", "add"},
      {source(R"("area": "west", "rate": 1, "limit": 1.5)"), "/sources/0/limit", "whole number", "fraction"},
      // Measurements, settings, outputs.
      {hall(R"("measurements": {"lines": {"l": {"from": [1, 1]}}})"), "/measurements/lines/l/to", "missing", "add"},
      {hall(R"("measurements": {"lines": {"l": {"from": [1, 1], "to": [1, 1]}}})"), "/measurements/lines/l", "same point",
       "length"},
      {hall(R"("measurements": {"areas": ["nowhere"]})"), "/measurements/areas/0", "the name of an area", "name one"},
      {settings(R"("dt": 0)"), "/settings/dt", "dt in s from 0.001 to 1", "range"},
      {settings(R"("seed": -1)"), "/settings/seed", "the number -1", "range"},
      {settings(R"("duration": null)"), "/settings/duration", "null", "number"},
      {settings(R"("timestep": 0.1)"), "/settings/timestep", "unknown key", "remove"},
      {settings(R"("stop_when_done": "yes")"), "/settings/stop_when_done", "true or false", "without quotes"},
      {settings(R"("neighbours": "nearst")"), "/settings/neighbours", "delaunay, nearest", "write \"nearest\""},
      {settings(R"("period": {"low": [0, 0], "size": [3, 0]})"), "/settings/period/size", "12", "larger"},
      {settings(R"("period": {"size": [30, 0]})"), "/settings/period/low", "missing", "add"},
      {hall(R"("outputs": {"frame_every": 0})"), "/outputs/frame_every", "from 1 to", "range"},
      {hall(R"("outputs": {"recordings": true})"), "/outputs/recordings", "unknown key", "write \"recording\""},
  };
}

TEST(MalformedScenarios, each_gives_a_clear_error_at_its_place) {
  EXPECT_GE(cases().size(), 100u);
  for (const Case& c : cases()) {
    const auto result = read(c.text);
    ASSERT_FALSE(result) << c.text;
    const std::string where = c.where.empty() ? "test.json" : "test.json " + c.where;
    const bool is_told = std::any_of(result.problems().begin(), result.problems().end(), [&](const Problem& p) {
      return p.where == where && p.what.find(c.what) != std::string::npos && p.fix.find(c.fix) != std::string::npos &&
             !p.fix.empty();
    });
    EXPECT_TRUE(is_told) << c.text << "\nexpected " << where << ": …" << c.what << "… (…" << c.fix << "…)\ngot "
                         << listed_problems(result);
  }
}

TEST(MalformedScenarios, all_mistakes_of_a_file_are_told_at_once) {
  const auto result =
      read(hall(R"("populations": [{"count": -1, "plan": "x"}, 7], "settings": {"dt": 9, "sed": 1}, "outputs": 3)"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.problems().size(), 6u) << listed_problems(result);
}

TEST(MalformedScenarios, places_without_ground_are_told_when_the_people_are_placed) {
  const auto problems_of = [](const std::string& text) {
    const auto scenario = read(text);
    EXPECT_TRUE(scenario) << listed_problems(scenario);
    const auto navigation = Navigation::bake(scenario->scene);
    return listed_problems(Simulation::create(*scenario, *navigation));
  };
  const std::string scene =
      R"("scene": {"throng_scene": 1, "walkable": [[[0,0],[9,0],[9,9],[0,9]]]}, "areas": {"far": {"box": [20,0,30,9]}})";
  const std::string start = R"({"throng_scenario": 1, )" + scene + ", ";
  EXPECT_NE(problems_of(start + R"("populations": [{"count": 1, "area": "far"}]})")
                .find("/populations/0/area: the area \"far\" has no walkable ground"),
            std::string::npos);
  EXPECT_NE(problems_of(start + R"("plans": {"p": {"goals": ["far"]}}})").find("/plans/p: the area \"far\""), std::string::npos);
  EXPECT_NE(problems_of(start + R"("sources": [{"area": "far", "rate": 1}]})").find("/sources/0/area"), std::string::npos);
  EXPECT_NE(problems_of(start + R"("measurements": {"areas": ["far"]}})").find("/measurements/areas/0"), std::string::npos);
  EXPECT_NE(problems_of(start + R"("populations": [{"positions": [[1, 1], [0.1, 5]]}]})")
                .find("/populations/0/positions/1: (0.1, 5) is not walkable"),
            std::string::npos);
  EXPECT_NE(problems_of(start + R"("populations": [{"positions": [[1, 1], [1.2, 1]]}]})")
                .find("/populations/0/positions/1: somebody stands"),
            std::string::npos);
}

}  // namespace
}  // namespace throng
