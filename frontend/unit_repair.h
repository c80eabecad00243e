// A unit whose templates have the instances that they are launched as, whatever clang does not understand of their
// statements: private to frontend/.
//
//   template <class T> __global__ void f(T* x) { log(UNKNOWN); x[threadIdx.x] = 0; }
//       left out: `log(UNKNOWN);`, "use of undeclared identifier 'UNKNOWN'"; f<float> has a body
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frontend/check_unit.h"
#include "frontend/instance_repair.h"
#include "frontend/lost_text.h"

namespace swizzle {

struct LeftOut {
  SourceRange range;  // of the error, in `path` as it was written
  std::string message;
  std::string path;  // normal, of a header; empty: in the main file
};

class UnitRepair {
 public:
  // `written` tells where what stands in the main file's text stood.
  UnitRepair(CheckUnit& unit, const RewrittenSource& written) : unit_(unit), written_(written) {}

  // `text` is the main file's, as clang read it last. Both it and headers are changed; offsets stay.
  void run(std::string& text, const std::string& path);
  const std::vector<LeftOut>& left_out() const { return left_out_; }
  // What clang's tree is without, as the unit now is.
  LostText lost_text() const;

 private:
  using Place = std::pair<std::string, std::uint32_t>;  // normal path, empty: the main file; offset
  void run(RepairedCode which, std::string& text, const std::string& path);
  std::string path_of(clang::FileID file) const;
  void add_errors_in(const TextRange& range, const RewrittenSource& written);
  void blank(const TextRange& range, std::string& text);

  CheckUnit& unit_;
  const RewrittenSource& written_;
  std::vector<LeftOut> left_out_;
  std::map<Place, std::string> blanked_;  // what stood there
};

}  // namespace swizzle
