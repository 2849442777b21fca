// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>

#include "base/profile.hpp"
#include "navigation/edit_basis.hpp"

namespace throng {

/// The data of a scene after an edit, from those before it and the patch that it left. `basis` has the scene as it is now.
/// A Problem where a link has no room left.
Result<std::shared_ptr<NavigationData>> patch_data(const NavigationData& old, const CellsPatch& patch,
                                                   std::span<const GridBox> boxes, EditBasis& basis, TaskRunner& tasks,
                                                   StageTimer& timer);

}  // namespace throng
