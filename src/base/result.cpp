#include "terrane/base/result.h"

namespace terrane {

std::string Error::message() const {
    std::string text = file;
    if (line > 0) text += (text.empty() ? "line " : ":") + std::to_string(line);
    return text.empty() ? reason : text + ": " + reason;
}

}  // namespace terrane
