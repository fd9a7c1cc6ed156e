//===-- TidyModule.cpp - The rules as a clang-tidy module ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin. `clang-tidy --load=libtensorleak-tidy.so --checks='-*,tensor-*'`.
//
//===----------------------------------------------------------------------===//
#include "checks/tidy/RuleCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang/Basic/Version.h"
#if CLANG_VERSION_MAJOR < 22 // later it is part of ClangTidyModule.h
#include "clang-tidy/ClangTidyModuleRegistry.h"
#endif

namespace tensorleak {
namespace {

class TidyModule : public clang::tidy::ClangTidyModule {
public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories &Factories) override {
    for (const RuleDescription &Rule : allRules())
      Factories.registerCheck<RuleCheck>(Rule.Name);
  }
};

clang::tidy::ClangTidyModuleRegistry::Add<TidyModule>
    TheModule("tensorleak", "Tensors that LibTorch and CUDA programs keep and should not.");

} // namespace
} // namespace tensorleak

namespace clang::tidy {
// A host that links us in statically refers to this, so that we are not dropped.
volatile int TensorleakModuleAnchorSource = 0; // NOLINT(misc-use-internal-linkage)
} // namespace clang::tidy
