//===-- SymbolicSizeTest.cpp ----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/Shapes.h"

#include <gtest/gtest.h>
#include <limits>

using namespace tensorleak;

namespace {

int BatchDecl, DataDecl;
const Symbol Batch{&BatchDecl, Symbol::Whole, "batch"};
const Symbol Count{&DataDecl, Symbol::Elements, "data.numel()"};

TEST(SymbolicSize, IsANumberOnlyWithoutSymbols) {
  EXPECT_EQ(product(4, 512)->number(), 2048);
  EXPECT_EQ(product(4, Batch)->number(), std::nullopt);
  EXPECT_EQ(SymbolicSize(Batch).onlySymbol(), &Batch);
  EXPECT_EQ(product(4, Batch)->onlySymbol(), nullptr);
}

TEST(SymbolicSize, IsSpelledAsTheSourceDoes) {
  EXPECT_EQ(SymbolicSize(7).str(), "7");
  EXPECT_EQ(SymbolicSize(Batch).str(), "batch");
  EXPECT_EQ(product(*product(4, Batch), 512)->str(), "2048 * batch");
  EXPECT_EQ(product(*quotient(Count, 784), 256)->str(), "256 * data.numel() / 784");
  EXPECT_EQ(quotient(10, Batch)->str(), "10 / batch");
}

TEST(SymbolicSize, CancelsWhatIsOnBothSides) {
  SymbolicSize Rows = *quotient(Count, Batch);
  EXPECT_EQ(product(Rows, Batch)->str(), "data.numel()");
  EXPECT_EQ(product(*quotient(Count, 784), 784)->str(), "data.numel()");
  EXPECT_EQ(quotient(*product(6, Batch), *product(2, Batch))->number(), 3);
}

TEST(SymbolicSize, EqualInAnyOrder) {
  EXPECT_EQ(*product(Batch, Count), *product(Count, Batch));
  EXPECT_EQ(*product(*quotient(Count, 6), 3), *quotient(Count, 2));
  EXPECT_FALSE(*product(Batch, Batch) == SymbolicSize(Batch));
  EXPECT_FALSE(*quotient(Count, Batch) == *product(Count, Batch));
}

TEST(SymbolicSize, SameNameOfAnotherDeclarationIsAnother) {
  const Symbol Shadow{&DataDecl, Symbol::Whole, "batch"};
  EXPECT_FALSE(SymbolicSize(Batch) == SymbolicSize(Shadow));
  EXPECT_EQ(quotient(Batch, Shadow)->str(), "batch / batch");
}

TEST(SymbolicSize, NothingForWhatIsNoSize) {
  constexpr int64_t Large = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(product(Large, 2), std::nullopt);
  EXPECT_EQ(quotient(Count, 0), std::nullopt);
  EXPECT_EQ(quotient(10, 4), std::nullopt);
}

TEST(TensorType, HasAtLeastTheBytesOfABatchOfOne) {
  auto Least = [](DimList Dims, int Code = Dtype::Float) {
    return TensorType::of(std::move(Dims), {Code}).leastBytes();
  };
  EXPECT_EQ(Least({SymbolicSize(Batch), SymbolicSize(8)}), 32);
  EXPECT_EQ(Least({*quotient(8, Batch)}), std::nullopt);
  EXPECT_EQ(Least({std::nullopt, SymbolicSize(8)}), std::nullopt);
  EXPECT_EQ(Least({SymbolicSize(8)}, Dtype::Unknown), std::nullopt);
}

} // namespace
