// SPDX-License-Identifier: MIT
#include "scenario/keys.hpp"

namespace throng {
namespace {

constexpr Setting<Kind> kKindSettings[] = {
    {"radius", &Kind::radius, "Half the width of the body.", "m", 0.05, 2},
    {"preferred_speed", &Kind::preferred_speed, "Speed on a free way.", "m/s", 0.05, 10},
    {"max_speed", &Kind::max_speed, "Fastest; 0: one and a half times the preferred speed.", "m/s", 0, 15},
    {"cone_angle", &Kind::cone_angle, "How a corridor is walked: large through the middle, small hugs corners.", "rad", 0.01, 1},
    {"personal_distance", &Kind::personal_distance, "Kept to strangers where there is room, centre to centre.", "m", 0, 5},
    {"wall_distance", &Kind::wall_distance, "Kept to walls where there is room.", "m", 0, 5},
    {"reaction_time", &Kind::reaction_time, "Of the security module of reactive_2004.", "s", 0.1, 5},
};

using R = ReactiveSettings;
constexpr Setting<R> kModelSettings[] = {
    {"personal_space", &R::personal_space, "Keep a distance to people and walls where there is room.", "", 0, 1},
    {"personal_strength", &R::personal_strength, "Factor on that.", "", 0, 10},
    {"prediction", &R::prediction, "Predict collisions and react to them.", "", 0, 1},
    {"margin", &R::margin, "Kept beyond contact when predicting.", "m", 0, 2},
    {"horizon", &R::horizon, "How far ahead collisions are predicted.", "s", 0.1, 60},
    {"max_pops", &R::max_pops, "Proposals looked at before the best is taken.", "", 1, 32},
    {"printed_security", &R::printed_security, "Brake in proportion to the time to collision of the current velocity.", "", 0, 1},
    {"max_acceleration", &R::max_acceleration, "Largest change of velocity.", "m/s²", 0.1, 100},
    {"look_ahead", &R::look_ahead, "Turn to where the crowd ahead moves on.", "", 0, 1},
    {"right_bias", &R::right_bias, "Cost of a turn to the left in a crowd.", "1/rad", 0, 10},
    {"headway", &R::headway, "Follow at a distance that grows with speed.", "", 0, 1},
    {"headway_time", &R::headway_time, "Of that distance.", "s", 0, 10},
    {"wall_slide", &R::wall_slide, "Turn along a wall instead of braking in front of it.", "", 0, 1},
    {"directional_security", &R::directional_security, "Brake only for what lies in the way.", "", 0, 1},
    {"yielding", &R::yielding, "Those who wait in a jam make room.", "", 0, 1},
    {"squeeze", &R::squeeze, "Shoulders turn where it is narrow.", "", 0, 1},
};

using Y = ReynoldsSettings;
constexpr Setting<Y> kReynoldsSettings[] = {
    {"steer_time", &Y::steer_time, "In which the wanted velocity is taken up.", "s", 0.01, 10},
    {"max_acceleration", &Y::max_acceleration, "Largest change of velocity.", "m/s²", 0.1, 100},
    {"horizon", &Y::horizon, "How far ahead encounters are predicted.", "s", 0.1, 60},
    {"margin", &Y::margin, "Beyond contact, within which an encounter is avoided.", "m", 0, 5},
    {"avoidance", &Y::avoidance, "How far one turns aside for it: share of the preferred speed.", "", 0, 10},
    {"separation_distance", &Y::separation_distance, "Within which people keep away from each other, centre to centre.", "m", 0,
     10},
    {"separation_strength", &Y::separation_strength, "Of that, over distance.", "m²/s", 0, 10},
};

using T = ShortTermSettings;
constexpr Setting<T> kShortTermSettings[] = {
    {"tile", &T::tile, "Side of the tiles people are registered in, and width of a step aside.", "m", 0.25, 10},
    {"horizon", &T::horizon, "How far ahead tiles are looked at.", "s", 0.1, 60},
    {"margin", &T::margin, "Beyond contact, within which people are pushed apart.", "m", 0, 2},
    {"slow_down", &T::slow_down, "Share of the speed while stepping aside.", "", 0.05, 1},
    {"patience", &T::patience, "After which a tile beside is given up.", "s", 0.1, 60},
    {"as_printed", &T::as_printed, "Step aside for everybody in the tiles ahead, to the middles of tiles.", "", 0, 1},
    {"steer_time", &T::steer_time, "In which the wanted velocity is taken up.", "s", 0.01, 10},
    {"max_acceleration", &T::max_acceleration, "Largest change of velocity.", "m/s²", 0.1, 100},
};

using C = ContinuumSettings;
constexpr Setting<C> kContinuumSettings[] = {
    {"tile", &C::tile, "Side of the tiles that fields are made of.", "m", 0.25, 10},
    {"max_goals", &C::max_goals, "Goals with a field of their own, those of the most people; to others corridors lead.", "", 0,
     10000},
    {"steer_time", &C::steer_time, "In which the wanted velocity is taken up; 0: at once.", "s", 0, 10},
    {"max_acceleration", &C::max_acceleration, "Largest change of velocity.", "m/s²", 0.1, 100},
};
using F = ContinuumFieldKeys;
constexpr Setting<F> kContinuumFieldSettings[] = {
    {"length_weight", &F::length_weight, "What a metre costs.", "", 0.001, 1000},
    {"time_weight", &F::time_weight, "What a second costs.", "", 0, 1000},
    {"discomfort_weight", &F::discomfort_weight, "What a second at discomfort 1 costs.", "", 0, 1000},
    {"density_exponent", &F::density_exponent, "How fast somebody's weight fades to the next tiles.", "", 0.5, 8},
    {"bilinear_density", &F::bilinear_density, "Weights that add up to one person wherever somebody stands, instead.", "", 0, 1},
    {"low_density", &F::low_density, "Up to here people walk freely.", "people per tile", 0, 1e6},
    {"high_density", &F::high_density, "From here on they go with the crowd.", "people per tile", 0.001, 2e6},
    {"jam_density", &F::jam_density, "At which nobody moves on; 0: there is none, as printed.", "1/m²", 0, 1e6},
    {"free_density", &F::free_density, "Above which people walk more slowly, the nearer to the jam the slower.", "1/m²", 0, 1e6},
    {"max_speed", &F::max_speed, "That ways are planned with, on free and level ground.", "m/s", 0.05, 10},
    {"min_speed", &F::min_speed, "Up the high slope.", "m/s", 0.001, 10},
    {"floor_speed", &F::floor_speed, "In the thickest crowd.", "m/s", 0.001, 1},
    {"low_slope", &F::low_slope, "Up to which people walk freely.", "", -10, 10},
    {"high_slope", &F::high_slope, "At which they have their least speed.", "", -10, 10},
    {"prediction_time", &F::prediction_time, "How far ahead people with other goals are expected; 0: not at all.", "s", 0, 60},
    {"prediction_step", &F::prediction_step, "Between two places where somebody is expected.", "s", 0.05, 60},
    {"prediction_discomfort", &F::prediction_discomfort, "Of one person who is expected at once.", "", 0, 100},
};

using P = RulesSettings;
constexpr Setting<P> kRulesSettings[] = {
    {"tile", &P::tile, "Side of the tiles, one person each.", "m", 0.4, 2},
    {"priority_rules", &P::priority_rules, "False: the control, in which whoever would meet somebody does one thing or another.",
     "", 0, 1},
    {"headway", &P::headway, "Share of a step by which somebody is out of a tile before the next walks in.", "", 0.5, 1},
    {"speed_up", &P::speed_up, "Factor on the speed of who overtakes, or crosses in front of somebody.", "", 1, 3},
    {"back_after", &P::back_after, "Steps of unwanted waiting after which the lower priority goes back.", "steps", 1, 10000},
    {"replan_after", &P::replan_after, "Steps of it after which a way round is looked for.", "steps", 1, 10000},
    {"back_off_after", &P::back_off_after, "Steps of it after which the lower priority walks back to where there is room.",
     "steps", 1, 10000},
    {"doorway_precedence", &P::doorway_precedence, "Of equals, who is nearer to the middle of the doorway goes first.", "", 0, 1},
    {"doorway_width", &P::doorway_width, "The widest opening that parts two rooms.", "m", 0, 100},
    {"manhattan", &P::manhattan, "Estimates of A* that are too long: faster, and not always the shortest way.", "", 0, 1},
};

using S = ScenarioSettings;
constexpr Setting<S> kRunSettings[] = {
    {"dt", &S::dt, "Length of a step.", "s", 0.001, 1},
    {"seed", &S::seed, "Of all random numbers: equal seeds give equal runs.", "", 0, 9007199254740992.0},
    {"duration", &S::duration, "Longest simulated time.", "s", 0, 1e7},
    {"stop_when_done", &S::stop_when_done, "End earlier, once all have left or stay for good and no source brings more.", "", 0,
     1},
    {"arrival_distance", &S::arrival_distance, "How near to a point counts as there.", "m", 0.05, 10},
    {"separate_sweeps", &S::separate_sweeps, "How often in a step those who touch are pushed apart.", "", 0, 100},
    {"sort_every", &S::sort_every, "Steps between two spatial sorts of memory; 0: never.", "steps", 0, 1e6},
    {"count_contacts", &S::count_contacts, "Count overlaps and wall contacts: about a twentieth of the time.", "", 0, 1},
};

using D = DetailSettings;
constexpr Setting<D> kDetailSettings[] = {
    {"high_score", &D::high_score, "From which on people walk by their own models.", "", 0.01, 1},
    {"most_frequency", &D::most_frequency, "Looks per second at somebody just below the high score.", "1/s", 0.01, 1000},
    {"least_frequency", &D::least_frequency, "At somebody at the edge of the view.", "1/s", 0.01, 1000},
    {"unseen_frequency", &D::unseen_frequency, "At somebody outside the view.", "1/s", 0.01, 1000},
};
constexpr Setting<Viewpoint> kViewpointSettings[] = {
    {"field_of_view", &Viewpoint::field_of_view, "How much of the circle is seen.", "rad", 0.01, 6.2832},
    {"distance", &Viewpoint::distance, "At which nearness counts for nothing any more.", "m", 1, 1e5},
};

using I = InterestSettings;
constexpr Setting<I> kInterestSettings[] = {
    {"tile", &I::tile, "Side of the square tiles that levels and fields are given to.", "m", 0.5, 50},
    {"camera_near", &I::camera_near, "Up to where what the camera sees is at level 0.", "m", 0, 1e5},
    {"slack", &I::slack, "How far regions and camera may move before levels change.", "m", 0, 100},
    {"straight_frequency", &I::straight_frequency, "Looks per second at people who walk straight on.", "1/s", 0.01, 1000},
    {"budget", &I::budget,
     "Work that a step may cost, in steps of one person at level 1, spent where streams meet; 0: regions as given only.", "", 0,
     1e9},
};
constexpr Setting<Region> kRegionSettings[] = {
    {"radius", &Region::radius, "Of the disc.", "m", 0.1, 1e5},
    {"is_limit", &Region::is_limit, "Nothing in it is more interesting than its level, whatever others say.", "", 0, 1},
};
using V = VehicleDef;
constexpr Setting<V> kVehicleSettings[] = {
    {"length", &V::length, "Of its footprint.", "m", 0.3, 60},
    {"width", &V::width, "Of its footprint.", "m", 0.3, 10},
    {"speed", &V::speed, "Where nobody is in its way.", "m/s", 0.1, 60},
    {"acceleration", &V::acceleration, "Most.", "m/s²", 0.1, 20},
    {"deceleration", &V::deceleration, "Of its brakes.", "m/s²", 0.1, 20},
    {"start_time", &V::start_time, "It is not there before.", "s", 0, 1e7},
    {"comes_back", &V::comes_back, "Begins again at the start of its path; otherwise it leaves at the end.", "", 0, 1},
    {"danger_time", &V::danger_time, "Whoever is so near in front of it gets out of the way.", "s", 0, 30},
    {"danger_margin", &V::danger_margin, "On each side of it, still in its way.", "m", 0, 10},
    {"discomfort", &V::discomfort, "Of a field right in front of it; 0: nobody minds it.", "", 0, 1000},
    {"hurry", &V::hurry, "Times the preferred speed, of those who get out of the way.", "", 1, 5},
};

using G = GraphSettings;
constexpr Setting<G> kGraphSettings[] = {
    {"grid_step", &G::grid_step, "Between two samples of the ground; less than half the narrowest door.", "m", 0.02, 5},
    {"min_radius", &G::min_radius, "The least disc, at least one and a half grid steps.", "m", 0.03, 20},
    {"slope", &G::slope, "The steepest ground one walks on.", "°", 1, 80},
    {"step_height", &G::step_height, "Kerbs and stairs up to here are stepped over.", "m", 0, 2},
    {"head_room", &G::head_room, "Needed above the ground.", "m", 0.5, 10},
    {"sight_range", &G::sight_range, "How far discs know what they see; for a choice by visibility.", "m", 0, 1000},
};
constexpr Setting<FlowSettings> kFlowSettings[] = {
    {"max_paths", &FlowSettings::max_paths, "Most paths; 0: as many as there are.", "", 0, 10000},
    {"max_ratio", &FlowSettings::max_ratio, "Longest path, relative to the shortest.", "", 1, 1000},
};

using O = ScenarioOutputs;
constexpr Setting<O> kOutputSettings[] = {
    {"recording", &O::recording, "Write recording.throng.", "", 0, 1},
    {"frame_every", &O::frame_every, "Steps between two frames of the recording.", "steps", 1, 1e6},
    {"snapshot_every", &O::snapshot_every, "Steps between two snapshots, from which any step can be recomputed; 0: none.",
     "steps", 0, 1e9},
};

constexpr std::string_view kName = R"({"type": "string", "minLength": 1})";
constexpr std::string_view kText = R"({"type": "string"})";
constexpr std::string_view kPoint = R"({"$ref": "#/definitions/point"})";
constexpr std::string_view kPoints = R"({"type": "array", "items": {"$ref": "#/definitions/point"}, "minItems": 1})";
constexpr std::string_view kLayer = R"({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}], "default": 0})";
constexpr std::string_view kSeconds = R"({"type": "number", "minimum": 0})";
constexpr std::string_view kMix =
    R"({"anyOf": [{"type": "string"}, {"type": "object", "minProperties": 1, "additionalProperties": {"type": "number", "minimum": 0}}]})";

constexpr Key kTopKeys[] = {
    {"throng_scenario", "Says that this is a scenario, and in which version of the format.", R"({"const": 1})", true},
    {"$schema", "Ignored; for editors.", "true"},
    {"name", "Of the scenario; the file's name if absent.", kName},
    {"description", "What it shows, in a sentence or two.", kText},
    {"scene", "A built-in scene (\"city:2600\"), a file relative to this one, or a scene written out (scene.schema.json).",
     R"({"anyOf": [{"type": "string", "minLength": 1}, {"type": "object"}]})", true},
    {"areas", "Named places, besides those of the scene: each a polygon, or an object with a polygon or a box and a layer.",
     R"({"type": "object", "additionalProperties": {"$ref": "#/definitions/area"}})"},
    {"kinds", "Named kinds of people, besides adult, child, elderly and wheelchair.",
     R"({"type": "object", "additionalProperties": {"$ref": "#/definitions/kind"}})"},
    {"models",
     "Named motion models, besides reactive, reactive_2004, reynolds, linear, short_term, short_term_2008, continuum and rules.",
     R"({"type": "object", "additionalProperties": {"$ref": "#/definitions/model"}})"},
    {"flows", "Named flows: several ways between two areas, over which people spread.",
     R"({"type": "object", "additionalProperties": {"$ref": "#/definitions/flow"}})"},
    {"graph",
     "How the ground is sampled: for the layers of a mesh, and for the navigation graph that flows, and levels by discs, need.",
     R"({"$ref": "#/definitions/graph"})"},
    {"plans", "Named plans: where to go, one goal after the other.",
     R"({"type": "object", "additionalProperties": {"$ref": "#/definitions/plan"}})"},
    {"populations", "People who are there at the start.", R"({"type": "array", "items": {"$ref": "#/definitions/population"}})"},
    {"sources", "People who come while the run goes on.", R"({"type": "array", "items": {"$ref": "#/definitions/source"}})"},
    {"vehicles", "Named vehicles: they drive along a line and brake; people get out of their way.",
     R"({"type": "object", "additionalProperties": {"$ref": "#/definitions/vehicle"}})"},
    {"events", "What happens from outside while it runs: doors close, obstacles drop, plans change.",
     R"({"type": "array", "items": {"$ref": "#/definitions/event"}})"},
    {"measurements", "What the summary reports besides.", R"({"$ref": "#/definitions/measurements"})"},
    {"settings", "How to run it.", R"({"$ref": "#/definitions/settings"})"},
    {"outputs", "What a run writes.", R"({"$ref": "#/definitions/outputs"})"},
};

constexpr Key kAreaKeys[] = {
    {"polygon", "Its outline: [[x, y], …], or an object with outer and holes.", R"({"$ref": "#/definitions/polygon"})"},
    {"box", "Instead of a polygon: [x, y] of two opposite corners, as four numbers.",
     R"({"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4})"},
    {"layer", "Name or index of the layer it is on.", kLayer},
};
constexpr Key kKindKeys[] = {{"base", "The kind whose values are taken where this one gives none; adult if absent.", kName}};
constexpr Key kModelKeys[] = {
    {"base", "The model whose values are taken where this one gives none.",
     R"({"enum": ["reactive", "reactive_2004"], "default": "reactive"})"},
    {"table", "What is done about which collision: driving_rule, minimal_adjustment, keep_right, or a table written out.",
     R"({"anyOf": [{"enum": ["driving_rule", "minimal_adjustment", "keep_right"]}, {"$ref": "#/definitions/table"}]})"},
    {"wrong_side", "Of the table keep_right: factor on the quality of the wrong side.",
     R"({"type": "number", "minimum": 0, "maximum": 1, "default": 0.9})"},
};
constexpr Key kReynoldsKeys[] = {{"base", "Makes it one of Reynolds' steering.", R"({"const": "reynolds"})", true}};
constexpr Key kLinearKeys[] = {{"base", "Makes it one that walks straight through everybody.", R"({"const": "linear"})", true}};
constexpr Key kShortTermKeys[] = {
    {"base", "Makes it one of short-term avoidance.", R"({"enum": ["short_term", "short_term_2008"]})", true}};
constexpr Key kContinuumKeys[] = {
    {"base", "Makes it one of continuum crowds.", R"({"const": "continuum"})", true},
    {"field", "Numbers of its potential fields.", R"({"$ref": "#/definitions/field"})"},
};
constexpr Key kRulesKeys[] = {
    {"base", "Makes it one of priority rules.", R"({"const": "rules"})", true},
    {"table", "Rows of the table that are other than the paper's.", R"({"$ref": "#/definitions/rules_table"})"},
    {"side", "Which side is tried first: right, left (the table mirrored), or that to which the way turns.",
     R"({"enum": ["right", "left", "none"], "default": "right"})"},
    {"yields", "Places where some let others out first.",
     R"({"type": "array", "items": {"$ref": "#/definitions/yield"}, "maxItems": 8})"},
};
constexpr std::string_view kRowsByType =
    R"({"type": "object", "properties": {"same_tile": {"$ref": "#/definitions/rules_rows"}, "each_other": {"$ref": "#/definitions/rules_rows"}, "comment": true}, "additionalProperties": false})";
constexpr Key kRulesTableKeys[] = {
    {"toward", "Face to face.", kRowsByType},
    {"away", "One behind the other.", kRowsByType},
    {"glancing", "From the side.", kRowsByType},
};
constexpr Key kYieldKeys[] = {
    {"inside", "Name of the area that those leave who go first.", kName, true},
    {"clear", "Name of an area that the others keep clear meanwhile.", kName},
    {"priority", "Of those who go first, at least.", R"({"type": "integer", "minimum": -1000, "maximum": 1000, "default": 1})"},
};
constexpr std::string_view kPriority = R"({"type": "integer", "minimum": -1000, "maximum": 1000, "default": 0})";
constexpr std::string_view kReactions =
    R"({"type": "object", "properties": {"right": {"$ref": "#/definitions/reaction"}, "left": {"$ref": "#/definitions/reaction"}, "decelerate": {"$ref": "#/definitions/reaction"}, "accelerate": {"$ref": "#/definitions/reaction"}, "comment": true}, "additionalProperties": false})";
constexpr Key kTableKeys[] = {
    {"static", "Modules against those who stand.", kReactions},
    {"rear", "Modules against those who come from behind.", kReactions},
    {"front", "Modules against those who come from ahead.", kReactions},
    {"back", "Modules against those ahead who walk the same way.", kReactions},
    {"accepts", "Types whose collisions may also be let be.",
     R"({"type": "array", "items": {"enum": ["static", "rear", "front", "back"]}})"},
};
constexpr Key kReactionKeys[] = {
    {"direction_power", "How much a change of direction costs.",
     R"({"type": "integer", "minimum": 0, "maximum": 8, "default": 1})"},
    {"norm_power", "How much a change of speed costs.", R"({"type": "integer", "minimum": 0, "maximum": 8, "default": 1})"},
    {"factor", "On the quality of its proposals.", R"({"type": "number", "minimum": 0, "maximum": 1, "default": 1})"},
};
constexpr Key kPlanKeys[] = {
    {"goals", "In order. A name alone stands for an area.",
     R"({"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#/definitions/goal"}]}})"},
    {"end", "What follows the last goal: stay there, leave the world, loop from the first, or wander to random places for ever.",
     R"({"enum": ["stay", "leave", "loop", "wander"], "default": "stay"})"},
};
constexpr Key kGoalKeys[] = {
    {"area", "Name of an area, reached when entered; of several names the nearest by way is chosen.",
     R"({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]})"},
    {"point", "Instead of an area: [x, y].", kPoint},
    {"layer", "Of the point: name or index.", kLayer},
    {"wait", "Seconds to stay there: a number, or {\"uniform\": [a, b]}.", R"({"$ref": "#/definitions/quantity"})"},
    {"flow", "Name of a flow that ends in the area: walk there by one of its paths.", kName},
};
constexpr Key kFlowKeys[] = {
    {"between", "Names of the two areas.", R"({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2})",
     true},
    {"choice",
     "How people choose among its paths: the shortest, the one with the widest narrowest gate, the one of which most is "
     "seen, or the fastest in the crowd that is there.",
     R"({"enum": ["length", "width", "visibility", "time"], "default": "time"})"},
};
constexpr std::string_view kGroupSizes =
    R"({"type": "object", "minProperties": 1, "propertyNames": {"pattern": "^([1-9]|1[0-2])$"}, "additionalProperties": {"type": "number", "minimum": 0}})";
constexpr Key kPopulationKeys[] = {
    {"count", "How many.", R"({"type": "integer", "minimum": 0, "maximum": 1000000})"},
    {"density", "Instead of a count: people per m² of walkable ground of the area.",
     R"({"type": "number", "minimum": 0, "maximum": 10})"},
    {"area", "Where they are; anywhere in the scene if absent.", kName},
    {"placement", "How places are found: random, or grid, which packs more.",
     R"({"enum": ["random", "grid"], "default": "random"})"},
    {"positions", "Instead of count and area: [x, y] of each person.", kPoints},
    {"goals", "With positions, instead of a plan: [x, y] where each goes and stays.", kPoints},
    {"layer", "Of positions and goals: name or index.", kLayer},
    {"kinds", "Name of a kind, or names with their weights.", kMix},
    {"plan", "Name of a plan, or names with their weights; without one they stand.", kMix},
    {"flow", "Instead of area and plan: name of a flow. Half of them begin at each end, and all walk to and fro.", kName},
    {"model", "Name of a motion model; reactive if absent.", kName},
    {"profile", "Name of a profile of the scene; its first if absent.", kName},
    {"pre_movement", "Seconds before they start.", R"({"$ref": "#/definitions/quantity"})"},
    {"priority", "Social priority in the model rules: who has more goes first.", kPriority},
    {"heading", "Instead of a plan: the direction [x, y] they walk in, or random.",
     R"({"anyOf": [{"const": "random"}, {"$ref": "#/definitions/point"}]})"},
    {"heading_time", "Mean seconds until a random heading is drawn anew; 0: never.", kSeconds},
    {"groups", "Sizes of groups with their weights, {\"1\": 4, \"2\": 3}: people walk together, 1 alone. All alone if absent.",
     kGroupSizes},
};
constexpr Key kSourceKeys[] = {
    {"area", "Where they appear.", kName, true},
    {"rate", "People per second.", R"({"type": "number", "minimum": 0, "maximum": 1000})"},
    {"arrivals", "At random times (poisson) or at equal distances (regular).",
     R"({"enum": ["poisson", "regular"], "default": "poisson"})"},
    {"from", "When it begins, seconds.", kSeconds},
    {"until", "When it ends, seconds.", kSeconds},
    {"limit", "Most people in all; 0: no limit.", R"({"type": "integer", "minimum": 0, "maximum": 1000000, "default": 0})"},
    {"timetable", "Instead of a rate: who comes when.",
     R"({"type": "array", "items": {"$ref": "#/definitions/departure"}, "minItems": 1})"},
    {"kinds", "Name of a kind, or names with their weights.", kMix},
    {"plan", "Name of a plan, or names with their weights; without one they stand.", kMix},
    {"model", "Name of a motion model; reactive if absent.", kName},
    {"profile", "Name of a profile of the scene; its first if absent.", kName},
    {"pre_movement", "Seconds before they start, once they are there.", R"({"$ref": "#/definitions/quantity"})"},
    {"priority", "Social priority in the model rules: who has more goes first.", kPriority},
    {"groups", "Sizes of groups with their weights: people come and walk together, 1 alone. All alone if absent.", kGroupSizes},
};
constexpr std::string_view kObstacle = R"({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}]})";
constexpr Key kEventKeys[] = {
    {"time", "When it happens, seconds.", kSeconds},
    {"when", "Instead of a time: it happens as soon as this holds, once.", R"({"$ref": "#/definitions/condition"})"},
    {"actions", "What is done then, one after the other.", R"({"type": "array", "items": {"$ref": "#/definitions/action"}})",
     true},
};
constexpr Key kConditionKeys[] = {
    {"area", "Name of an area in which people are counted.", kName},
    {"over", "More people than this are in it.", R"({"type": "integer", "minimum": 0})"},
    {"under", "Fewer people than this are in it.", R"({"type": "integer", "minimum": 0})"},
    {"arrived", "Instead of an area: this share of all people has arrived.", R"({"type": "number", "minimum": 0, "maximum": 1})"},
};
constexpr Key kActionKeys[] = {
    {"close_door", "Name of an area of the scene that nobody can enter from now on.", kName},
    {"open_door", "Name of an area of the scene that was closed.", kName},
    {"add_obstacle", "A name for an obstacle that comes; polygon says where.", kName},
    {"move_obstacle",
     "Name of an obstacle, or its place among those of the scene, counted over all layers; polygon says where to.", kObstacle},
    {"remove_obstacle", "Name of an obstacle that goes, or its place among those of the scene.", kObstacle},
    {"polygon", "Outline of an obstacle.", R"({"$ref": "#/definitions/polygon"})"},
    {"layer", "Of a new obstacle or region: name or index.", kLayer},
    {"set_speed", "Preferred speed from now on, m/s.", R"({"type": "number", "minimum": 0.05, "maximum": 10})"},
    {"scale_speed", "Factor on the preferred speed.", R"({"type": "number", "minimum": 0.1, "maximum": 10})"},
    {"set_plan", "Name of the plan that people follow from now on.", kName},
    {"population", "Whose speed or plan: the place of a population in the file; everybody if absent.",
     R"({"type": "integer", "minimum": 0})"},
    {"add_region",
     "A name for a region of interest that comes: centre or follow, radius, level, layer and is_limit as in the settings.",
     kName},
    {"set_region", "Name of a region of interest that gets another centre, radius or level.", kName},
    {"remove_region", "Name of a region of interest that goes.", kName},
    {"centre", "Of a region, [x, y].", kPoint},
    {"follow", "Instead of a centre, of a new region: name of a vehicle it goes with.", kName},
    {"is_limit", "Of a new region: nothing in it is more interesting than its level.",
     R"({"type": "boolean", "default": false})"},
    {"radius", "Of a region, m.", R"({"type": "number", "minimum": 0.1, "maximum": 10000})"},
    {"level", "Of a region.", R"({"type": "integer", "minimum": 0, "maximum": 2})"},
};
constexpr Key kDepartureKeys[] = {
    {"at", "Seconds.", kSeconds, true},
    {"count", "How many come at once.", R"({"type": "integer", "minimum": 1, "maximum": 100000, "default": 1})"},
};
constexpr Key kMeasurementsKeys[] = {
    {"lines", "Named lines: who crosses them when.",
     R"({"type": "object", "additionalProperties": {"$ref": "#/definitions/line"}})"},
    {"areas", "Names of areas: density in them.", R"({"type": "array", "items": {"type": "string"}})"},
};
constexpr Key kLineKeys[] = {
    {"from", "One end, [x, y].", kPoint, true},
    {"to", "The other end.", kPoint, true},
    {"layer", "Name or index.", kLayer},
};
constexpr Key kSettingsKeys[] = {
    {"neighbours", "Who sees whom: by a Delaunay triangulation of the crowd, or the eight nearest.",
     R"({"enum": ["delaunay", "nearest"], "default": "delaunay"})"},
    {"period", "A world without ends: who leaves on one side comes in on the other.", R"({"$ref": "#/definitions/period"})"},
    {"detail", "Levels of simulation: people whom nobody looks at walk straight, and cost little. Not with a period.",
     R"({"$ref": "#/definitions/detail"})"},
    {"interest", "Regions of interest: three levels of effort, wherever they are wanted. Instead of detail, not with a period.",
     R"({"$ref": "#/definitions/interest"})"},
};
constexpr std::string_view kLevelNumber = R"({"type": "integer", "minimum": 0, "maximum": 2, "default": 0})";
constexpr Key kInterestKeys[] = {
    {"regions", "Named discs in which people deserve more effort, or less.",
     R"({"type": "object", "additionalProperties": {"$ref": "#/definitions/region"}})"},
    {"camera", "Who looks: level 0 in view and near, 1 in view, 2 elsewhere; regions come on top of it.",
     R"({"$ref": "#/definitions/viewpoint"})"},
    {"elsewhere", "Level outside of all regions, where no camera is.",
     R"({"type": "integer", "minimum": 0, "maximum": 2, "default": 1})"},
    {"levels", "What serves levels 0, 1 and 2.",
     R"({"type": "array", "items": {"$ref": "#/definitions/level"}, "minItems": 3, "maxItems": 3})"},
};
constexpr Key kRegionKeys[] = {
    {"centre", "Its middle, [x, y].", kPoint},
    {"follow", "Instead of a centre: name of a vehicle it goes with.", kName},
    {"level", "0: most effort, 1, or 2: least.", kLevelNumber},
    {"layer", "Name or index; all layers if absent.", R"({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}]})"},
};
constexpr Key kLevelKeys[] = {
    {"guidance", "By the potential field of one's flow, or along one's corridor of cells.",
     R"({"enum": ["field", "corridor"], "default": "corridor"})"},
    {"model", "Name of a motion model; own: that of each person; straight: straight on, through everybody.",
     R"({"type": "string", "minLength": 1, "default": "short_term"})"},
};
constexpr Key kVehicleKeys[] = {
    {"path", "Of its middle: [[x, y], …], two different points at least.",
     R"({"type": "array", "items": {"$ref": "#/definitions/point"}, "minItems": 2})", true},
    {"layer", "Name or index.", kLayer},
};
constexpr Key kDetailKeys[] = {
    {"viewpoint", "Who looks; nobody if absent.", R"({"$ref": "#/definitions/viewpoint"})"},
    {"patch", "What a level is given to: cells, or discs of the navigation graph.",
     R"({"enum": ["cell", "disc"], "default": "cell"})"},
};
constexpr Key kViewpointKeys[] = {
    {"position", "Where it is.", kPoint, true},
    {"direction", "Where it looks, [x, y]; east if absent.", kPoint},
};
constexpr Key kPeriodKeys[] = {
    {"low", "Lower corner of the part that repeats.", kPoint, true},
    {"size", "Its size; 0: no period in this direction. The scene must reach 12 m beyond, with the same walls.", kPoint, true},
};
constexpr Key kQuantityKeys[] = {
    {"normal", "A normal distribution, cut off at low and high.", R"({"$ref": "#/definitions/normal"})"},
    {"uniform", "Anything between two numbers.",
     R"({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})"},
    {"choices", "One of these numbers.", R"({"type": "array", "items": {"type": "number"}, "minItems": 1, "maxItems": 10000})"},
    {"weights", "Of the choices; all the same if absent.",
     R"({"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 1, "maxItems": 10000})"},
    {"list", "Person i of a population gets the i-th number, and after the last the first again.",
     R"({"type": "array", "items": {"type": "number"}, "minItems": 1, "maxItems": 1000000})"},
};
constexpr Key kNormalKeys[] = {
    {"mean", "Of the distribution before it is cut off.", R"({"type": "number"})", true},
    {"deviation", "Its standard deviation.", R"({"type": "number", "minimum": 0})", true},
    {"low", "Nothing below; three deviations below the mean if absent.", R"({"type": "number"})"},
    {"high", "Nothing above; three deviations above the mean if absent.", R"({"type": "number"})"},
};

}  // namespace

std::span<const Setting<Kind>> kind_settings() { return kKindSettings; }
std::span<const Setting<ReactiveSettings>> model_settings() { return kModelSettings; }
std::span<const Setting<ReynoldsSettings>> reynolds_settings() { return kReynoldsSettings; }
std::span<const Setting<ShortTermSettings>> short_term_settings() { return kShortTermSettings; }
std::span<const Setting<ContinuumSettings>> continuum_settings() { return kContinuumSettings; }
std::span<const Setting<ContinuumFieldKeys>> continuum_field_settings() { return kContinuumFieldSettings; }
std::span<const Setting<RulesSettings>> rules_settings() { return kRulesSettings; }
std::span<const Setting<ScenarioSettings>> run_settings() { return kRunSettings; }
std::span<const Setting<DetailSettings>> detail_settings() { return kDetailSettings; }
std::span<const Setting<Viewpoint>> viewpoint_settings() { return kViewpointSettings; }
std::span<const Setting<InterestSettings>> interest_settings() { return kInterestSettings; }
std::span<const Setting<Region>> region_settings() { return kRegionSettings; }
std::span<const Setting<VehicleDef>> vehicle_settings() { return kVehicleSettings; }
std::span<const Setting<ScenarioOutputs>> output_settings() { return kOutputSettings; }
std::span<const Setting<GraphSettings>> graph_settings() { return kGraphSettings; }
std::span<const Setting<FlowSettings>> flow_settings() { return kFlowSettings; }

namespace keys {
const std::span<const Key> kTop = kTopKeys, kArea = kAreaKeys, kKind = kKindKeys, kModel = kModelKeys, kReynolds = kReynoldsKeys,
                           kLinear = kLinearKeys, kShortTerm = kShortTermKeys, kContinuum = kContinuumKeys, kTable = kTableKeys,
                           kReaction = kReactionKeys, kPlan = kPlanKeys, kGoal = kGoalKeys, kPopulation = kPopulationKeys,
                           kSource = kSourceKeys, kDeparture = kDepartureKeys, kMeasurements = kMeasurementsKeys,
                           kLine = kLineKeys, kSettings = kSettingsKeys, kPeriod = kPeriodKeys, kDetail = kDetailKeys,
                           kViewpoint = kViewpointKeys, kQuantity = kQuantityKeys, kNormal = kNormalKeys, kFlow = kFlowKeys;
const std::span<const Key> kRules = kRulesKeys, kRulesTable = kRulesTableKeys, kYield = kYieldKeys;
const std::span<const Key> kEvent = kEventKeys, kCondition = kConditionKeys, kAction = kActionKeys;
const std::span<const Key> kInterest = kInterestKeys, kRegion = kRegionKeys, kLevel = kLevelKeys, kVehicle = kVehicleKeys;
}  // namespace keys

std::vector<std::string_view> allowed_keys(std::span<const Key> keys) {
  std::vector<std::string_view> names;
  for (const Key& key : keys) names.push_back(key.key);
  names.push_back("comment");
  return names;
}

}  // namespace throng
