#include "terrane/world/methods.h"

#include "terrane/method/method_interface.h"

namespace terrane {

Result<Method> find_method(std::string_view name) {
    constexpr std::string_view kAnyAngle = "any_angle";  // an option of every method
    MethodText text(name);
    const size_t times = text.take(kAnyAngle);
    if (times > 1) return text.refuse(ErrorCode::kBadValue, "option 'any_angle' is given twice");
    text.common_option = kAnyAngle;
    const auto factory = find_method_row(methods(), text);
    if (!factory) return factory.error();
    auto parsed = (*factory)->parse(text, **factory);
    if (!parsed) return parsed.error();
    Method method(std::move(*parsed));
    method.any_angle = times == 1;
    return method;
}

}  // namespace terrane
