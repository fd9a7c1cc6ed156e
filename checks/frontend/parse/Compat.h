//===-- Compat.h - What differs between the LLVM releases we build with ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end's only place with `#if CLANG_VERSION_MAJOR`.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_COMPAT_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_COMPAT_H

#include "clang/Basic/FileManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"
#include <memory>

namespace tensorleak {

/// A compiler for \p Invocation that sees files as \p Files does.
inline std::unique_ptr<clang::CompilerInstance>
makeCompiler(std::shared_ptr<clang::CompilerInvocation> Invocation,
             std::shared_ptr<clang::PCHContainerOperations> Containers, clang::FileManager &Files,
             clang::DiagnosticConsumer &Diagnostics) {
#if CLANG_VERSION_MAJOR >= 22
  auto Compiler =
      std::make_unique<clang::CompilerInstance>(std::move(Invocation), std::move(Containers));
  Compiler->setVirtualFileSystem(Files.getVirtualFileSystemPtr());
  Compiler->setFileManager(&Files);
  Compiler->createDiagnostics(&Diagnostics, /*ShouldOwnClient=*/false);
  Compiler->createSourceManager();
#else
  auto Compiler = std::make_unique<clang::CompilerInstance>(std::move(Containers));
  Compiler->setInvocation(std::move(Invocation));
  Compiler->setFileManager(&Files);
  Compiler->createDiagnostics(&Diagnostics, /*ShouldOwnClient=*/false);
  Compiler->createSourceManager(Files);
#endif
  return Compiler;
}

/// Whether \p Given fits the parameters of \p Template; \p All is then complete, with defaults.
inline bool fitsTemplate(clang::Sema &Sema, clang::TemplateDecl &Template,
                         clang::TemplateArgumentListInfo &Given,
                         llvm::SmallVectorImpl<clang::TemplateArgument> &All) {
#if CLANG_VERSION_MAJOR >= 22
  clang::Sema::CheckTemplateArgumentInfo Checked;
  bool Fails =
      Sema.CheckTemplateArgumentList(&Template, Template.getLocation(), Given,
                                     /*DefaultArgs=*/{}, /*PartialTemplateArgs=*/false, Checked);
  All.assign(Checked.SugaredConverted.begin(), Checked.SugaredConverted.end());
#else
  llvm::SmallVector<clang::TemplateArgument, 4> Canonical;
  bool Fails = Sema.CheckTemplateArgumentList(&Template, Template.getLocation(), Given,
                                              /*PartialTemplateArgs=*/false, All, Canonical);
#endif
  return !Fails;
}

/// The class that \p Template makes of \p Given; null where it makes none.
inline clang::QualType classOfTemplate(clang::Sema &Sema, clang::ClassTemplateDecl &Template,
                                       clang::TemplateArgumentListInfo &Given) {
  const clang::TemplateName Name(&Template);
#if CLANG_VERSION_MAJOR >= 22
  return Sema.CheckTemplateIdType(clang::ElaboratedTypeKeyword::None, Name, Template.getLocation(),
                                  Given, /*Scope=*/nullptr, /*ForNestedNameSpecifier=*/false);
#else
  return Sema.CheckTemplateIdType(Name, Template.getLocation(), Given);
#endif
}

/// The type whose declaration \p Class is.
inline clang::QualType typeOf(const clang::CXXRecordDecl &Class) {
#if CLANG_VERSION_MAJOR >= 22
  return Class.getASTContext().getCanonicalTagType(&Class);
#else
  return Class.getASTContext().getRecordType(&Class);
#endif
}

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_COMPAT_H
