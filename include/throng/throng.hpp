// SPDX-License-Identifier: MIT
// Everything an embedding program needs.
#pragma once
#include <throng/detail.hpp>
#include <throng/edits.hpp>
#include <throng/graph.hpp>
#include <throng/groups.hpp>
#include <throng/layers.hpp>
#include <throng/models.hpp>
#include <throng/navigation.hpp>
#include <throng/reactive.hpp>
#include <throng/result.hpp>
#include <throng/scene.hpp>
#include <throng/vec.hpp>
#include <throng/world.hpp>
