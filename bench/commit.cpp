#include "commit.h"  // generated at build time
#include "bench/report.h"

namespace terrane {

std::string build_commit() { return TERRANE_COMMIT; }

}  // namespace terrane
