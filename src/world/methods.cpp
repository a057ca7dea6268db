#include "terrane/world/methods.h"

#include "terrane/method/method_interface.h"

namespace terrane {

Result<Method> find_method(std::string_view name) {
    constexpr std::string_view kRefract = "refract";  // for every method
    MethodText text(name);
    const size_t refract = text.take(kRefract);
    if (refract > 1) return text.refuse(ErrorCode::kBadValue, "option 'refract' is given twice");
    text.common_option = kRefract;
    const auto factory = find_method_row(methods(), text);
    if (!factory) return factory.error();
    auto parsed = (*factory)->parse(text, **factory);
    if (!parsed) return parsed.error();
    Method method(std::move(*parsed));
    method.refract = refract == 1;
    return method;
}

}  // namespace terrane
