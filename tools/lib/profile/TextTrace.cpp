//===- TextTrace.cpp - the accesses of a launch as a table ----------------===//

#include "tools/lib/profile/TextTrace.h"

#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;

/// Where the `number`th of a grid or a block is, x fastest.
static Dim3 placeOf(int64_t number, const Dim3 &extents) {
  return {number % extents[0], number / extents[0] % extents[1],
          number / extents[0] / extents[1]};
}

static llvm::StringRef nameOf(AccessSite::Kind kind) {
  switch (kind) {
  case AccessSite::Kind::Read:
    return "load";
  case AccessSite::Kind::Write:
    return "store";
  case AccessSite::Kind::Atomic:
    return "atomic";
  }
  llvm_unreachable("covered switch");
}

void TextTraceSink::startBlock(int64_t number) {
  block = placeOf(number, launch.grid);
  executions.clear();
  next.startBlock(number);
}

void TextTraceSink::request(const MemoryRequest &request) {
  next.request(request);
  constexpr size_t flushedBytes = size_t(1) << 20;
  llvm::raw_string_ostream os(rows);
  for (auto [lane, address] : llvm::zip(request.lanes, request.addresses)) {
    int64_t thread = request.subgroup * subgroupSize + lane;
    for (const Dim3 &place : {block, placeOf(thread, launch.block)})
      for (int64_t coordinate : place)
        os << coordinate << ',';
    os << request.site << ',' << nameOf(sites[request.site].kind) << ','
       << (request.isWorkgroup ? "workgroup" : "global") << ',' << address
       << ',' << executions[{thread, request.site}]++ << '\n';
  }
  if (rows.size() < flushedBytes)
    return;
  file.appendText(rows);
  rows.clear();
}
