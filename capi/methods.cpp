// Methods on grids in C: the list, and checks of names.
#include "handles.h"
#include "terrane/method/method_interface.h"

using namespace terrane;
using namespace terrane::capi;

uint32_t terrane_method_count(void) { return static_cast<uint32_t>(methods().size()); }
const char* terrane_method_usage(uint32_t i) { return info_text(methods(), i, &MethodInfo::usage); }
const char* terrane_method_summary(uint32_t i) { return info_text(methods(), i, &MethodInfo::summary); }
const char* terrane_method_example(uint32_t i) { return info_text(methods(), i, &MethodInfo::example); }

terrane_code terrane_method_check(const char* name, terrane_error* error) {
    return guarded(error, [&] {
        const auto method = find_method(text_or_empty(name));
        return method ? terrane_code{TERRANE_OK} : refuse(method.error(), error);
    });
}

int32_t terrane_method_prepares(const char* name) {
    return guarded_or<int32_t>(-1, nullptr, [&] {
        const auto method = find_method(text_or_empty(name));
        if (!method) return -1;
        return prepares(*method) ? 1 : 0;
    });
}
