//===- Progress.cpp - a line that shows how far a run is ------------------===//

#include "tools/lib/launch/Progress.h"

using namespace gpuopt;

void ProgressLine::start(llvm::StringRef what) {
  clear();
  name = what.str();
  begin = shown = Clock::now();
}

void ProgressLine::update(int64_t done, int64_t total, llvm::StringRef unit) {
  static constexpr auto delay = std::chrono::seconds(2);
  Clock::time_point now = Clock::now();
  bool overwrites = os.is_displayed();
  if (now - begin < delay || (!overwrites && now - shown < delay))
    return;
  shown = now;
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin);
  if (overwrites)
    os << "\r\x1b[K";
  os << name << ": " << unit << ' ' << done << " of " << total << ", "
     << seconds.count() << " s";
  if (!overwrites)
    os << '\n';
  os.flush();
  isShown = overwrites;
}

void ProgressLine::clear() {
  if (isShown)
    os << "\r\x1b[K";
  isShown = false;
  os.flush();
}
