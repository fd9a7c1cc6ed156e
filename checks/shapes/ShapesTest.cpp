//===-- ShapesTest.cpp - Which sizes are inferred ---------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/Analyzed.h"

using namespace tensorleak;

namespace {

/// "2x?xn float": a shape as the tests write it.
std::string shown(const TensorType &T) {
  if (!T.Dims)
    return "unknown";
  if (!T.Dims->Parts.empty()) {
    std::string Out;
    for (const TensorType &Part : T.Dims->Parts)
      Out += (Out.empty() ? "(" : ", ") + shown(Part);
    return Out + ")";
  }
  std::string Out = T.Dims->Lead ? "[" + T.Dims->Lead->str() + "]" : "";
  for (const Dim &D : T.Dims->Dims)
    Out += (Out.empty() ? "" : ", ") + (D ? D->str() : "?");
  return Out;
}

/// Code of a function `f`, and what its variables look like at the end.
class Shaped {
public:
  explicit Shaped(const std::string &Code) : A(Code) {}
  std::string operator[](llvm::StringRef Variable) const {
    return shown(A.stored("f", Variable).Info.Type);
  }
  std::string bytes(llvm::StringRef Variable) const {
    const TensorType T = A.stored("f", Variable).Info.Type;
    return T.bytes() ? std::to_string(*T.bytes()) : T.bytesFormula();
  }

private:
  Analyzed A;
};

DimList dims(std::initializer_list<int64_t> Numbers) {
  return DimList(Numbers.begin(), Numbers.end());
}

TEST(Shapes, BroadcastAndMismatch) {
  auto Broadcast = [](DimList A, DimList B) {
    TensorType T;
    T.Dims = broadcast(makeShape(A), makeShape(B));
    return shown(T);
  };
  EXPECT_EQ(Broadcast(dims({4, 1}), dims({3})), "4, 3");
  EXPECT_EQ(Broadcast(dims({4, 2}), dims({3})), "unknown");
  EXPECT_EQ(Broadcast({std::nullopt, SymbolicSize(1)}, dims({5, 3})), "5, 3");
  EXPECT_EQ(Broadcast({std::nullopt}, {std::nullopt}), "?");
}

TEST(Shapes, AJoinKeepsWhatIsTheSame) {
  TensorType T = TensorType::of(dims({2, 3}), {Dtype::Float});
  joinType(T, TensorType::of(dims({2, 4}), {Dtype::Long}));
  EXPECT_EQ(shown(T), "2, ?");
  EXPECT_EQ(T.Element.size(), 0u);
}

TEST(Symbols, AreNamedAsInTheSource) {
  Shaped S(R"(
    struct Options { int64_t width; };
    void f(Tensor x, int64_t batch, const Options &options) {
      int64_t rows = batch * 2;
      auto a = torch::zeros({batch, 3});
      auto b = torch::zeros({rows, options.width});
      auto c = torch::zeros({x.size(0), x.size(1)});
      auto d = torch::zeros({batch + 1, 2});
      auto e = torch::zeros({x.numel()});
      auto g = a.clone();
      auto back = torch::zeros({c.size(1), a.size(1)});
      auto y = torch::zeros({2, 3});
      int64_t width = y.size(1);
      y = torch::zeros({2, 5});
      auto before = torch::zeros({width});
    })");
  EXPECT_EQ(S.bytes("a"), "12 * batch");
  EXPECT_EQ(S.bytes("b"), "4 * rows * options.width");
  EXPECT_EQ(S.bytes("c"), "4 * x.size(0) * x.size(1)");
  EXPECT_EQ(S.bytes("d"), "8 * (batch + 1)");
  EXPECT_EQ(S.bytes("e"), "4 * x.numel()");
  EXPECT_EQ(S.bytes("g"), "12 * batch");
  EXPECT_EQ(S["back"], "x.size(1), 3");
  EXPECT_EQ(S["before"], "width"); // not the 5 of now
}

TEST(Symbols, AreNumbersWhereEachObjectHasTheSame) {
  Shaped S(R"(
    struct Size { int64_t rows = 3, cols = rows * 2; };
    class Net {
    public:
      explicit Net(int64_t n) : n_(n) {}
      void f() { auto a = torch::zeros({size_.rows, size_.cols, n_}); }
    private:
      Size size_;
      int64_t n_;
    };
    Net make() { return Net(5); })");
  EXPECT_EQ(S["a"], "3, 6, 5");
}

TEST(Symbols, AreNamesWhereObjectsDiffer) {
  Shaped S(R"(
    struct Size { int64_t rows = 3; int64_t cols; };
    void grow(Size &s) { s.rows *= 2; }
    void f(const Size &s) { auto a = torch::zeros({s.rows, s.cols}); })");
  EXPECT_EQ(S["a"], "s.rows, s.cols");
}

TEST(Symbols, NotForWhatChanges) {
  Shaped S(R"(
    struct Counter { int64_t n = 0; void f(Tensor x, int64_t k) {
      ++n; k += 1;
      auto a = torch::zeros({n});
      auto b = torch::zeros({k});
      x = x.index({0});
      auto c = torch::zeros({x.size(0)});
    } };)");
  EXPECT_EQ(S["a"], "?");
  EXPECT_EQ(S["b"], "?");
  EXPECT_EQ(S["c"], "?");
}

TEST(Dtypes, ComeFromOptionsAndOperands) {
  Shaped S(R"(void f(Tensor x, torch::TensorOptions given) {
    auto half = torch::zeros({10}, torch::kHalf);
    auto options = torch::TensorOptions().dtype(torch::kInt64);
    auto wide = torch::zeros({10}, options);
    auto hidden = torch::zeros({10}, given);
    auto like = torch::zeros({10}, x.options());
    auto ints = torch::full({10}, 3);
    auto scaled = ints * 0.5;
    auto flags = wide > 1;
    auto cast = half.to(torch::kDouble);
  })");
  EXPECT_EQ(S.bytes("half"), "20");
  EXPECT_EQ(S.bytes("wide"), "80");
  EXPECT_EQ(S.bytes("hidden"), "");
  EXPECT_EQ(S.bytes("like"), "");
  EXPECT_EQ(S.bytes("ints"), "80");
  EXPECT_EQ(S.bytes("scaled"), "40");
  EXPECT_EQ(S.bytes("flags"), "10");
  EXPECT_EQ(S.bytes("cast"), "80");
}

TEST(Ops, ThatShowTheSameElements) {
  Shaped S(R"(void f(int64_t n) {
    auto x = torch::zeros({n, 4, 6});
    auto rest = x.view({n, -1});
    auto rows = x.reshape({-1, 6});
    auto wrong = x.view({-1, -1});
    auto flat = x.flatten(1);
    auto all = x.flatten();
    auto swapped = x.transpose(0, -1);
    auto turned = x.permute({2, 0, 1});
    auto more = x.unsqueeze(1);
    auto less = more.squeeze(1);
    auto maybe = x.squeeze(0);
    auto first = x[0];
    auto part = x.narrow(2, 1, 3);
    auto wide = torch::zeros({1, 6}).expand({5, -1});
  })");
  EXPECT_EQ(S["rest"], "n, 24");
  EXPECT_EQ(S["rows"], "4 * n, 6");
  EXPECT_EQ(S["wrong"], "unknown");
  EXPECT_EQ(S["flat"], "n, 24");
  EXPECT_EQ(S["all"], "24 * n");
  EXPECT_EQ(S["swapped"], "6, 4, n");
  EXPECT_EQ(S["turned"], "6, n, 4");
  EXPECT_EQ(S["more"], "n, 1, 4, 6");
  EXPECT_EQ(S["less"], "n, 4, 6");
  EXPECT_EQ(S["maybe"], "unknown");
  EXPECT_EQ(S["first"], "4, 6");
  EXPECT_EQ(S["part"], "n, 4, 3");
  EXPECT_EQ(S["wide"], "5, 6");
  EXPECT_EQ(S.bytes("wide"), ""); // no memory of its own
}

TEST(Ops, ThatIndexByNumbersAndSlices) {
  Shaped S(R"(void f(int64_t n) {
    auto x = torch::zeros({n, 4, 6});
    using torch::indexing::Slice;
    auto column = x.index({Slice(), 0});
    auto rows_of = torch::zeros({8, 6}).index({Slice(1, 3)});
    auto last = torch::zeros({8, 6}).index({Slice(-2, torch::indexing::None)});
    auto chosen = torch::zeros({8, 6}).index({torch::zeros({2})});
  })");
  EXPECT_EQ(S["column"], "n, 6");
  EXPECT_EQ(S["rows_of"], "2, 6");
  EXPECT_EQ(S["last"], "?, 6");
  EXPECT_EQ(S["chosen"], "unknown");
}

TEST(Ops, ThatMakeNewTensors) {
  Shaped S(R"(void f(int64_t n, Tensor unknown, std::vector<Tensor> list) {
    auto a = torch::zeros({n, 8}), b = torch::zeros({8, 3});
    auto product = torch::matmul(a, b);
    auto wrong = torch::mm(a, a);
    auto batch = torch::bmm(torch::zeros({n, 2, 5}), torch::zeros({n, 5, 7}));
    auto sum = a.sum();
    auto rows = a.sum(1);
    auto kept = a.mean({0}, /*keepdim=*/true);
    auto largest = a.max(1);
    auto values = std::get<0>(a.max(1));
    auto joined = torch::cat({a, a, a}, 1);
    auto symbolic = torch::cat({a, a}, 0);
    auto layers = torch::stack({b, b}, 0);
    auto many = torch::cat(list);
    auto with = a + unknown;
    auto repeated = b.repeat({2, 1, 1});
    auto loss = torch::mse_loss(a, a);
    a.resize_({3});
    auto resized = a;
  })");
  EXPECT_EQ(S["product"], "n, 3");
  EXPECT_EQ(S["wrong"], "n, 8");
  EXPECT_EQ(S["batch"], "n, 2, 7");
  EXPECT_EQ(S["sum"], "");
  EXPECT_EQ(S["rows"], "n");
  EXPECT_EQ(S["kept"], "1, 8");
  EXPECT_EQ(S["values"], "n");
  EXPECT_EQ(S["joined"], "n, 24");
  EXPECT_EQ(S["symbolic"], "?, 8");
  EXPECT_EQ(S["layers"], "2, 8, 3");
  EXPECT_EQ(S["many"], "unknown");
  EXPECT_EQ(S["with"], "unknown");
  EXPECT_EQ(S["repeated"], "2, 8, 3");
  EXPECT_EQ(S["loss"], "");
  EXPECT_EQ(S["resized"], "unknown");
}

TEST(Ops, ThatDoWhatLayersDo) {
  Shaped S(R"(void f(int64_t n, torch::nn::functional::MaxPool2dFuncOptions given) {
    namespace F = torch::nn::functional;
    auto image = torch::zeros({n, 3, 32, 32});
    auto by = torch::linear(torch::zeros({n, 8}), torch::zeros({5, 8}));
    auto pooled = torch::max_pool2d(image, 2);
    auto strided = torch::max_pool2d(image, {3, 3}, {2, 1});
    auto with = F::max_pool2d(image, F::MaxPool2dFuncOptions(4));
    auto unknown = F::max_pool2d(image, given);
    auto same = F::relu(image);
  })");
  EXPECT_EQ(S["by"], "n, 5");
  EXPECT_EQ(S["pooled"], "n, 3, 16, 16");
  EXPECT_EQ(S["strided"], "n, 3, 15, 30");
  EXPECT_EQ(S["with"], "n, 3, 8, 8");
  EXPECT_EQ(S["unknown"], "unknown");
  EXPECT_EQ(S["same"], "n, 3, 32, 32");
}

TEST(Layers, OfLocalVariables) {
  Shaped S(R"(void f(Tensor x, int64_t n, int64_t width) {
    torch::nn::Linear fc(8, 3);
    auto wide = torch::nn::Linear(torch::nn::LinearOptions(8, width).bias(false));
    torch::nn::Conv2d conv(torch::nn::Conv2dOptions(1, 20, 5).stride(2).padding(1));
    torch::nn::Conv2d same(torch::nn::Conv2dOptions(1, 4, 3).padding(1));
    torch::nn::Embedding embedding(1000, 16);
    auto in = torch::zeros({n, 8});
    auto out = fc->forward(in);
    auto called = fc(in);
    auto named = fc->forward(x);
    auto wider = wide->forward(in);
    auto image = conv->forward(torch::zeros({n, 1, 28, 28}));
    auto kept = same->forward(torch::zeros({n, 1, 28, 28}));
    auto words = embedding->forward(torch::zeros({n, 7}, torch::kLong));
    torch::nn::Sequential all(torch::nn::Linear(8, 5), torch::nn::ReLU(), torch::nn::Linear(5, 2));
    auto last = all->forward(in);
  })");
  EXPECT_EQ(S["out"], "n, 3");
  EXPECT_EQ(S.bytes("out"), "12 * n");
  EXPECT_EQ(S["called"], "n, 3");
  EXPECT_EQ(S["named"], "[x.numel() / 8], 3");
  EXPECT_EQ(S.bytes("named"), "12 * x.numel() / 8");
  EXPECT_EQ(S["wider"], "n, width");
  EXPECT_EQ(S["image"], "n, 20, 13, 13");
  EXPECT_EQ(S["kept"], "n, 4, 28, 28");
  EXPECT_EQ(S["words"], "n, 7, 16");
  EXPECT_EQ(S.bytes("words"), "448 * n");
  EXPECT_EQ(S["last"], "n, 2");
}

TEST(Layers, OfMembersHoweverTheyAreMade) {
  Shaped S(R"(
    struct Net : torch::nn::Module {
      Net() : second(register_module("second", torch::nn::Linear(6, 5))), third(5, 4) {
        first = register_module("first", torch::nn::Linear(8, 6));
        stack->push_back(torch::nn::Linear(4, 2));
        stack->push_back(torch::nn::Tanh());
      }
      Tensor f(Tensor x) {
        auto a = first->forward(x.view({-1, 8}));
        auto b = second->forward(a);
        auto c = torch::relu(third(b));
        auto d = stack->forward(c);
        auto e = twice->forward(c);
        return d;
      }
      void rebuild() { twice = torch::nn::Linear(4, 9); }
      torch::nn::Linear first{nullptr}, second, third;
      torch::nn::Linear twice{4, 3};
      torch::nn::Sequential stack;
    };)");
  EXPECT_EQ(S["a"], "x.numel() / 8, 6");
  EXPECT_EQ(S["b"], "x.numel() / 8, 5");
  EXPECT_EQ(S["c"], "x.numel() / 8, 4");
  EXPECT_EQ(S["d"], "x.numel() / 8, 2");
  EXPECT_EQ(S["e"], "unknown"); // made in two places
}

TEST(Layers, RecurrentOnesGiveTuples) {
  Shaped S(R"(void f(int64_t n, int64_t steps, Tensor h) {
    torch::nn::GRU gru(16, 32);
    torch::nn::LSTM lstm(torch::nn::LSTMOptions(16, 32).num_layers(2).batch_first(true));
    auto in = torch::zeros({steps, n, 16});
    auto out = std::get<0>(gru->forward(in, h));
    auto [all, state] = gru->forward(in);
    auto pair = lstm->forward(torch::zeros({n, steps, 16}));
    auto inner = std::get<1>(std::get<1>(lstm->forward(torch::zeros({n, steps, 16}))));
    auto cell = std::get<1>(std::get<1>(pair));
    auto first = std::get<0>(pair);
    Tensor tied;
    std::tie(tied, h) = gru->forward(in, h);
  })");
  EXPECT_EQ(S["out"], "steps, n, 32");
  EXPECT_EQ(S["all"], "steps, n, 32");
  EXPECT_EQ(S["state"], "1, n, 32");
  EXPECT_EQ(S["first"], "n, steps, 32");
  EXPECT_EQ(S["cell"], "2, n, 32");
  EXPECT_EQ(S["inner"], "2, n, 32");
  EXPECT_EQ(S["tied"], "steps, n, 32");
  EXPECT_EQ(S["h"], "1, n, 32");
}

TEST(Functions, OfModulesReturnInTermsOfTheirArguments) {
  Shaped S(R"(
    struct NetImpl : torch::nn::Module {
      Tensor forward(Tensor x) { return fc->forward(x.view({x.size(0), 8})); }
      torch::nn::Linear fc{8, 3};
    };
    TORCH_MODULE(Net);
    struct Base { virtual Tensor make() { return torch::zeros({2}); } };
    void f(Net net, NetImpl &impl, Tensor data) {
      auto a = net->forward(data);
      auto b = net(torch::zeros({5, 4, 2}));
      auto c = impl.forward(data);
      auto i = Base().make(); // or what a derived class makes
    })");
  EXPECT_EQ(S["a"], "data.size(0), 3");
  EXPECT_EQ(S["b"], "5, 3");
  EXPECT_EQ(S["c"], "data.size(0), 3");
  EXPECT_EQ(S["i"], "unknown");
}

TEST(Functions, ReturnInTermsOfTheirArguments) {
  Shaped S(R"(
    static Tensor rows(Tensor x) {
      auto n = x.size(0);
      x = torch::zeros({n, 2});
      auto m = x.size(1);
      return x.view({n, m});
    }
    static Tensor late(Tensor x) {
      x = torch::relu(x.index({0}));
      auto n = x.size(0);
      return torch::zeros({n, 2});
    }
    static Tensor pad(Tensor x, int64_t n) { return torch::zeros({n, 2}); }
    static Tensor either(bool b) {
      if (b) return torch::zeros({2, 3}); return torch::zeros({2, 4}); }
    void f(Tensor data, int64_t rows) {
      auto d = pad(data, rows);
      auto e = either(rows > 2);
      auto g = ::rows(data);
      auto h = late(data);
    })");
  EXPECT_EQ(S["d"], "rows, 2");
  EXPECT_EQ(S["e"], "2, ?");
  EXPECT_EQ(S["g"], "data.size(0), ?"); // which 'm' is not the caller's to know
  EXPECT_EQ(S["h"], "?, 2");
}

TEST(Layers, OfAnotherDtypeHaveAnUnknownOne) {
  Shaped S(R"(void f(Tensor x) {
    torch::nn::Linear fc(8, 3);
    fc->to(torch::kHalf);
    auto y = fc->forward(x);
  })");
  EXPECT_EQ(S["y"], "[x.numel() / 8], 3");
  EXPECT_EQ(S.bytes("y"), "");
}

} // namespace
