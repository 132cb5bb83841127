//===- Spelling.h - how a language says things ------------------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_SPELLING_H
#define CONVERSION_EMITSOURCE_SPELLING_H

#include "conversion/EmitSource/EmitSource.h"
#include "conversion/EmitSource/Headers.h"
#include "conversion/EmitSource/Tree.h"

namespace gpuopt::source {

/// The words of one language. Tells `headers` what they need.
class Spelling {
public:
  Spelling(OutputLanguage language, Headers &headers)
      : language(language), headers(&headers) {}

  OutputLanguage getLanguage() const { return language; }
  bool isOpenCL() const { return language == OutputLanguage::OpenCL; }
  bool isC() const { return language == OutputLanguage::C; }
  bool hasLocalFunctions() const { return !isOpenCL() && !isC(); }
  /// What the names of the host's functions begin with.
  llvm::StringRef hostAPI() const {
    return language == OutputLanguage::HIP ? "hip" : "cuda";
  }

  /// `float4`, `unsigned long long`; indices are of the width asked for.
  std::string type(CType type) const;
  /// The address space that pointers into `variable` name; empty in C++.
  std::string space(const Variable &variable) const;
  /// What is read for `threadIdx.x` and so on.
  std::string builtin(llvm::StringRef name) const;
  /// A floating-point literal from its digits.
  std::string number(llvm::StringRef digits, CType type) const;
  /// The function that a call of the tree means; nothing where the language
  /// has none.
  std::optional<std::string> function(llvm::StringRef name, CType type) const;
  /// The conversion of `text`, which is no sum.
  std::string convert(CType type, llvm::StringRef text) const;
  std::string barrier() const;
  std::string kernelHead(const Kernel &kernel) const;
  std::string parameter(const Variable &variable) const;
  /// What `variable` is declared to point to: `const float`.
  std::string pointee(const Variable &variable) const;
  /// Whether it is declared to point to its elements, of `type`.
  bool pointsTo(const Variable &variable, CType type) const;
  std::string sharedQualifier() const;
  /// Where a lane is in a vector: `.x`.
  std::string lane(unsigned number) const;
  std::string vector(CType type) const;

  /// Says that something has been spelled that `need` declares.
  void require(Headers::Need need) const { headers->add(need); }

private:
  void requireType(CType type) const;
  std::string subgroupFunction(llvm::StringRef name) const;
  std::string approximation(llvm::StringRef name) const;
  std::optional<std::string> hostFunction(llvm::StringRef name,
                                          CType type) const;

  OutputLanguage language;
  Headers *headers;
};

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_SPELLING_H
