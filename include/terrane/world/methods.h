// Finds search methods on grids by name.
//
//   Method method = find_method("dta:32/nbs/wastar:1.2+smooth").value();
//
// docs/methods.md describes them. A bare name is the algorithm as published, without extras.
#pragma once
#include <span>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/method/method.h"

namespace terrane {

struct MethodFactory;  // method_interface.h

// All methods of this library, in the order of the documentation. Thread-safe.
std::span<const MethodFactory* const> methods();

// Parses a name. Fails on unknown names, levels and options and on missing or wrong arguments; the error states what is expected.
// Thread-safe.
Result<Method> find_method(std::string_view name);

}  // namespace terrane
