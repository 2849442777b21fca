// SPDX-License-Identifier: MIT
// Mutations of JSON documents as trees: keys dropped, kinds swapped, lists emptied, names that lead nowhere, extreme numbers,
// parts repeated, moved and exchanged with another document's. Mutations of bytes (mutations.hpp) mostly break the syntax; these
// reach what lies behind it.
//
//   const TreeMutator mutator(documents);
//   for (std::uint64_t number = 0; number < 1000; ++number) try_out(mutator.mutant(number));
//
// A mutant is a function of the documents and its number, on every machine.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace throng::fuzz {

class TreeMutator {
 public:
  using Tree = nlohmann::json;

  explicit TreeMutator(std::vector<Tree> documents) : documents_(std::move(documents)) {
    for (const Tree& document : documents_) collect_texts(document);
  }

  std::size_t document_of(std::uint64_t number) const { return number % documents_.size(); }

  Tree mutant(std::uint64_t number) const {
    Draw draw{number * 0x9E3779B97F4A7C15u + 0x1234567};
    Tree tree = documents_[document_of(number)];
    // Mostly one change: with many the reader refuses nearly everything.
    const std::uint64_t kind = draw.below(8);
    const std::uint64_t changes = kind < 5 ? 1 : kind < 7 ? 2 : 4;
    for (std::uint64_t change = 0; change < changes; ++change) mutate(tree, draw);
    return tree;
  }

 private:
  /// Steele, Lea & Flood 2014: splitmix64.
  struct Draw {
    std::uint64_t state;
    std::uint64_t bits() {
      std::uint64_t z = state += 0x9E3779B97F4A7C15u;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
      return z ^ (z >> 31);
    }
    std::uint64_t below(std::uint64_t count) { return bits() % count; }
  };

  /// A value with the list or object it lies in; none for the root.
  struct Place {
    Tree* value;
    Tree* parent;
    std::string key;
    std::size_t index;
  };

  static void collect(Tree& value, Tree* parent, const std::string& key, std::size_t index, std::vector<Place>& out) {
    out.push_back({&value, parent, key, index});
    if (value.is_object())
      for (auto& [name, child] : value.items()) collect(child, &value, name, 0, out);
    if (value.is_array())
      for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], &value, key, i, out);
  }

  void collect_texts(const Tree& value) {
    if (value.is_string()) texts_.push_back(value.get<std::string>());
    if (value.is_object())
      for (const auto& [name, child] : value.items()) texts_.push_back(name), collect_texts(child);
    if (value.is_array())
      for (const Tree& child : value) collect_texts(child);
  }

  /// A place below the root. Coordinates are most of a document and are drawn less often than their share.
  static const Place* choose(const std::vector<Place>& places, Draw& draw) {
    if (places.size() < 2) return nullptr;
    const Place* chosen = nullptr;
    for (int attempt = 0; attempt < 4; ++attempt) {
      chosen = &places[1 + draw.below(places.size() - 1)];
      if (!chosen->value->is_number() || !chosen->parent->is_array()) break;
    }
    return chosen;
  }

  Tree extreme_number(const Tree& old, Draw& draw) const {
    const double now = old.is_number() ? old.get<double>() : 1;
    switch (draw.below(24)) {
      case 0:
        return 0;
      case 1:
        return -0.0;
      case 2:
        return -1;
      case 3:
        return 1;
      case 4:
        return 1e-300;
      case 5:
        return 1e300;
      case 6:
        return -1e300;
      case 7:
        return 5e-324;
      case 8:
        return std::int64_t{2147483647};
      case 9:
        return std::int64_t{2147483648};
      case 10:
        return std::int64_t{4294967295};
      case 11:
        return std::int64_t{4294967296};
      case 12:
        return std::numeric_limits<std::int64_t>::min();
      case 13:
        return std::numeric_limits<std::uint64_t>::max();
      case 14:
        return 0.1 * now;
      case 15:
        return 10 * now;
      case 16:
        return 1000 * now;
      case 17:
        return -now;
      case 18:
        return std::floor(now) + 1;
      case 19:
        return 1e-9;
      case 20:
        return now + 1e-3;
      case 21:
        return now - 0.05;
      case 22:
        return 255;
      default:
        return 0.5;
    }
  }

  Tree other_kind(const Tree& old, Draw& draw) const {
    switch (draw.below(9)) {
      case 0:
        return nullptr;
      case 1:
        return draw.below(2) == 0;
      case 2:
        return extreme_number(old, draw);
      case 3:
        return "text";
      case 4:
        return Tree::array();
      case 5:
        return Tree::object();
      case 6:
        return Tree::array({old});
      case 7:
        return Tree{{"value", old}};
      default:
        return old.is_structured() && !old.empty() ? Tree(*old.begin()) : Tree("");
    }
  }

  std::string other_text(Draw& draw) const {
    switch (draw.below(8)) {
      case 0:
        return "";
      case 1:
        return "nowhere";
      case 2:
        return std::string(3000, 'x');
      case 3:
        return "näher ~ / \" \\ \n";
      case 4:
        return "../../outside.json";
      default:
        return texts_[draw.below(texts_.size())];
    }
  }

  void mutate(Tree& tree, Draw& draw) const {
    std::vector<Place> places;
    collect(tree, nullptr, "", 0, places);
    const Place* place = choose(places, draw);
    if (place == nullptr) return;
    Tree& value = *place->value;
    Tree& parent = *place->parent;
    const auto copy_from_elsewhere = [&] { return *places[1 + draw.below(places.size() - 1)].value; };
    switch (draw.below(16)) {
      case 0:
      case 1:  // dropped
        if (parent.is_object())
          parent.erase(place->key);
        else
          parent.erase(place->index);
        return;
      case 2:
        value = other_kind(Tree(value), draw);
        return;
      case 3:  // emptied
        if (value.is_structured())
          value.clear();
        else if (parent.is_array())
          parent.clear();
        else
          value = "";
        return;
      case 4:
      case 5:
        value = value.is_string() ? Tree(other_text(draw)) : extreme_number(Tree(value), draw);
        return;
      case 6: {  // a name or number somewhere below or beside
        for (const Place& other : places)
          if (other.value->is_string() && draw.below(6) == 0) {
            *other.value = other_text(draw);
            return;
          }
        return;
      }
      case 7: {  // repeated
        if (parent.is_array()) {
          const Tree copy = value;
          for (std::uint64_t times = 1 + draw.below(3); times > 0; --times)
            parent.insert(parent.begin() + static_cast<std::ptrdiff_t>(place->index), copy);
        } else {
          const Tree copy = value;
          parent[other_text(draw)] = copy;
        }
        return;
      }
      case 8:  // copied over another
        value = Tree(copy_from_elsewhere());
        return;
      case 9: {  // moved
        const Tree moved = value;
        const Place* target = choose(places, draw);
        if (target == nullptr) return;
        *target->value = moved;
        return;
      }
      case 10: {  // renamed
        if (!parent.is_object()) return;
        Tree moved = value;
        parent.erase(place->key);
        parent[draw.below(2) == 0 ? texts_[draw.below(texts_.size())] : place->key + "s"] = std::move(moved);
        return;
      }
      case 11: {  // exchanged with a neighbour
        if (parent.size() < 2) return;
        auto other = parent.begin();
        std::advance(other, static_cast<std::ptrdiff_t>(draw.below(parent.size())));
        if (&*other == &value) return;
        std::swap(value, *other);
        return;
      }
      case 12:
      case 13: {  // what another document has under this key
        Tree other = documents_[draw.below(documents_.size())];
        std::vector<Place> others;
        collect(other, nullptr, "", 0, others);
        for (std::size_t k = 0, from = draw.below(others.size()); k < others.size(); ++k) {
          const Place& found = others[(from + k) % others.size()];
          if (found.parent == nullptr || found.key != place->key || found.value->type() != value.type()) continue;
          value = Tree(*found.value);
          return;
        }
        return;
      }
      case 14: {  // a key of another document beside this one
        const Tree& other = documents_[draw.below(documents_.size())];
        if (other.empty() || !other.is_object()) return;
        auto taken = other.begin();
        std::advance(taken, static_cast<std::ptrdiff_t>(draw.below(other.size())));
        tree[taken.key()] = taken.value();
        return;
      }
      default:  // a little elsewhere
        for (Place& other : places)
          if (other.value->is_number_float() || other.value->is_number_integer()) {
            if (draw.below(8) != 0) continue;
            const double now = other.value->get<double>();
            *other.value = now + (static_cast<double>(draw.below(2001)) - 1000) * 1e-3;
          }
        return;
    }
  }

  std::vector<Tree> documents_;
  std::vector<std::string> texts_;
};

}  // namespace throng::fuzz
