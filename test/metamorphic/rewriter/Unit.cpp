//===-- Unit.cpp - What the file says, and where ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Unit.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

class FunctionFinder : public RecursiveASTVisitor<FunctionFinder> {
public:
  explicit FunctionFinder(const SourceManager &Sources) : Sources(Sources) {}

  bool VisitFunctionDecl(FunctionDecl *F) {
    const SourceLocation Loc = F->getLocation();
    const bool Ours = F->doesThisDeclarationHaveABody() && isa<CompoundStmt>(F->getBody()) &&
                      Loc.isFileID() && Sources.isInMainFile(Loc) &&
                      F->getBody()->getBeginLoc().isFileID();
    const bool Device = F->hasAttr<CUDAGlobalAttr>() || F->hasAttr<CUDADeviceAttr>();
    if (Ours && !Device && !F->isConstexpr() && !F->getParentFunctionOrMethod() &&
        !F->isTemplateInstantiation())
      Found.push_back(F);
    return true;
  }

  std::vector<const FunctionDecl *> Found;

private:
  const SourceManager &Sources;
};

class StmtCollector : public RecursiveASTVisitor<StmtCollector> {
public:
  bool VisitStmt(Stmt *S) {
    Found.push_back(S);
    return true;
  }
  std::vector<const Stmt *> Found;
};

/// Whether the body of a loop, or a branch: what can be a single statement.
bool isBodyOf(const Stmt *S, const Stmt *Parent) {
  if (const auto *If = dyn_cast<IfStmt>(Parent))
    return S == If->getThen() || S == If->getElse();
  if (const auto *For = dyn_cast<ForStmt>(Parent))
    return S == For->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(Parent))
    return S == While->getBody();
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(Parent))
    return S == Range->getBody();
  return false;
}

bool isNameless(QualType Type) {
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record)
    return false;
  if (Record->isLambda() || Record->getParentFunctionOrMethod() || !Record->getIdentifier())
    return true;
  const auto *Of = dyn_cast<ClassTemplateSpecializationDecl>(Record);
  return Of && llvm::any_of(Of->getTemplateArgs().asArray(), [](const TemplateArgument &A) {
           return A.getKind() == TemplateArgument::Type && isNameless(A.getAsType());
         });
}

} // namespace

Unit::Unit(ASTContext &Context, const std::vector<Decl *> &Decls) : Context(Context), Decls(Decls) {
  const SourceManager &Sources = Context.getSourceManager();
  Text = Sources.getBufferData(Sources.getMainFileID());
  // Without this the parents of all headers' nodes would be looked for.
  Context.setTraversalScope(Decls);
  FunctionFinder Finder(Sources);
  for (Decl *D : Decls)
    Finder.TraverseDecl(D);
  Functions = std::move(Finder.Found);
}

std::optional<Span> Unit::spelled(SourceRange Range) const {
  const SourceManager &Sources = Context.getSourceManager();
  CharSourceRange Chars = Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Range), Sources,
                                                   Context.getLangOpts());
  if (Chars.isInvalid() || !Sources.isInMainFile(Chars.getBegin()))
    return std::nullopt;
  return Span{Sources.getFileOffset(Chars.getBegin()), Sources.getFileOffset(Chars.getEnd())};
}

std::optional<Span> Unit::span(SourceRange Range) const {
  if (Range.getBegin().isMacroID() || Range.getEnd().isMacroID())
    return std::nullopt;
  return spelled(Range);
}

std::optional<Span> Unit::statement(const Stmt *S) const {
  const SourceManager &Sources = Context.getSourceManager();
  CharSourceRange Whole = Sources.getExpansionRange(S->getSourceRange());
  std::optional<Span> Out = span({Whole.getBegin(), Whole.getEnd()});
  if (!Out)
    return std::nullopt;
  if (auto Behind = behindNext(Whole.getEnd(), tok::semi))
    Out->End = *Behind;
  return Out;
}

std::string Unit::text(SourceRange Range) const {
  auto Found = spelled(Range);
  return Found ? text(*Found) : "";
}

unsigned Unit::line(unsigned Offset) const { return Text.take_front(Offset).count('\n') + 1; }

unsigned Unit::offset(SourceLocation Loc) const {
  return Context.getSourceManager().getFileOffset(Loc);
}

std::optional<unsigned> Unit::behindNext(SourceLocation Loc, tok::TokenKind Kind) const {
  const SourceManager &Sources = Context.getSourceManager();
  auto Next = Lexer::findNextToken(Loc, Sources, Context.getLangOpts());
  if (!Next || Next->isNot(Kind))
    return std::nullopt;
  return Sources.getFileOffset(Next->getEndLoc());
}

std::vector<const Stmt *> Unit::below(const Stmt *Root) const {
  StmtCollector Collector;
  if (Root)
    Collector.TraverseStmt(const_cast<Stmt *>(Root));
  return std::move(Collector.Found);
}

const Stmt *Unit::parent(const Stmt *S) const {
  DynTypedNodeList Parents = Context.getParentMapContext().getParents(*S);
  return Parents.empty() ? nullptr : Parents[0].get<Stmt>();
}

const Stmt *Unit::enclosingStatement(const Stmt *S) const {
  for (const Stmt *Parent = parent(S); Parent; S = Parent, Parent = parent(S)) {
    if (isa<CompoundStmt>(Parent) || isBodyOf(S, Parent))
      return S;
    if (isa<LambdaExpr, SwitchCase, LabelStmt>(Parent))
      return nullptr;
  }
  return nullptr;
}

bool Unit::isInCompound(const Stmt *S) const { return isa_and_nonnull<CompoundStmt>(parent(S)); }

std::optional<std::string> Unit::written(QualType Type) const {
  // Names of typedefs, such as value_type, may be those of another scope.
  Type = Type.isNull() ? Type : Type.getNonReferenceType().getCanonicalType();
  if (Type.isNull() || Type->isDependentType() || Type->isUndeducedType() || isNameless(Type) ||
      (Type->isPointerType() && isNameless(Type->getPointeeType())))
    return std::nullopt;
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.SuppressUnwrittenScope = true;
  std::string Out = TypeName::getFullyQualifiedName(Type, Context, Policy);
  return Out.find('(') == std::string::npos ? std::optional(Out) : std::nullopt;
}

unsigned Unit::beginOfLine(unsigned Offset) const {
  const size_t Before = Text.take_front(Offset).rfind('\n');
  return Before == StringRef::npos ? 0 : Before + 1;
}

unsigned Unit::endOfLine(unsigned Offset) const {
  return std::min(Text.find('\n', Offset), Text.size());
}

Edit Unit::behind(unsigned End, const std::string &NewText) const {
  const unsigned Stop = endOfLine(End);
  StringRef Rest = Text.slice(End, Stop).trim();
  if (!Rest.empty() && !Rest.starts_with("//"))
    return {End, 0, " " + NewText};
  const StringRef Line = Text.slice(beginOfLine(End), Stop);
  const std::string Indent = Line.take_while([](char C) { return C == ' ' || C == '\t'; }).str();
  return {Stop, 0, "\n" + Indent + NewText};
}

void Unit::addAfter(Site &Out, const Stmt *S, const std::string &NewText) const {
  std::optional<Span> Where = statement(S);
  if (!Where)
    return;
  Out.Line = line(Where->Begin);
  if (isInCompound(S))
    return Out.Edits.push_back(behind(Where->End, NewText));
  Out.Edits.push_back({Where->Begin, 0, "{ "});
  Out.Edits.push_back({Where->End, 0, " " + NewText + " }"});
}

Uses usesIn(const Unit &U, const Stmt *Root) {
  Uses Out;
  for (const auto *Ref : U.all<DeclRefExpr>(Root))
    Out[Ref->getDecl()].push_back(Ref);
  return Out;
}

std::vector<const ValueDecl *> namedCaptures(const Unit &U, const Stmt *Root) {
  std::vector<const ValueDecl *> Out;
  for (const auto *Lambda : U.all<LambdaExpr>(Root))
    for (const LambdaCapture &Capture : Lambda->explicit_captures())
      if (Capture.capturesVariable())
        Out.push_back(Capture.getCapturedVar());
  return Out;
}

bool isTensor(QualType Type) {
  const auto *Record = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Record && Record->getQualifiedNameAsString() == "at::Tensor";
}

const ClassTemplateSpecializationDecl *stdContainer(QualType Type) {
  static const StringRef Names[] = {"vector", "deque",         "list",         "map",     "set",
                                    "stack",  "unordered_map", "forward_list", "multimap"};
  const auto *Of = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Type.getNonReferenceType()->getAsCXXRecordDecl());
  return Of && Of->isInStdNamespace() && llvm::is_contained(Names, Of->getName()) ? Of : nullptr;
}

QualType elementType(const ClassTemplateSpecializationDecl &Container, unsigned I) {
  const TemplateArgumentList &Arguments = Container.getTemplateArgs();
  const bool IsType = I < Arguments.size() && Arguments[I].getKind() == TemplateArgument::Type;
  return IsType ? Arguments[I].getAsType() : QualType();
}

bool isHolder(const Unit &U, QualType Type) {
  if (Type->isReferenceType() || Type->isDependentType())
    return false;
  if (Type->isPointerType())
    return U.isCuda() && Type->getPointeeType()->isObjectType();
  const ClassTemplateSpecializationDecl *Container = stdContainer(Type);
  if (!Container)
    return isTensor(Type);
  for (unsigned I = 0; I < 2; ++I)
    if (QualType Element = elementType(*Container, I);
        !Element.isNull() && (isTensor(Element) || isHolder(U, Element)))
      return true;
  return false;
}

void keep(Sites &Out, Site &&Site) {
  if (!Site.Edits.empty())
    Out.push_back(std::move(Site));
}

} // namespace tensorleak::rewriter
