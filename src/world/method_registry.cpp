// The list of methods. A method is its own source file and one line here.
#include "terrane/method/method_interface.h"
#include "terrane/world/methods.h"

#define TERRANE_METHODS(METHOD)  \
    METHOD(kAStarMethod)         \
    METHOD(kCanonicalMethod)     \
    METHOD(kWeightedAStarMethod) \
    METHOD(kFocalMethod)         \
    METHOD(kNbsMethod)           \
    METHOD(kDijkstraMethod)      \
    METHOD(kGreedyMethod)        \
    METHOD(kJpsMethod)           \
    METHOD(kJpswMethod)          \
    METHOD(kRegionsMethod)       \
    METHOD(kDtaMethod)           \
    METHOD(kMinimalMemoryMethod) \
    METHOD(kHpaMethod)           \
    METHOD(kPraMethod)           \
    METHOD(kOverlayMethod)       \
    METHOD(kCpdMethod)

namespace terrane {

namespace detail {
#define TERRANE_DECLARE(method) extern const MethodFactory method;
TERRANE_METHODS(TERRANE_DECLARE)
}  // namespace detail

std::span<const MethodFactory* const> methods() {
#define TERRANE_ADDRESS(method) &detail::method,
    static constexpr const MethodFactory* kMethods[]{TERRANE_METHODS(TERRANE_ADDRESS)};
    return kMethods;
}

}  // namespace terrane
