// An output in the saved data of its own node, as a part of an object that is saved.
//
// REQUIRES: torch
// RUN: %check_tensor %s --real
#include <torch/custom_class.h>
#include <torch/torch.h>

using torch::Tensor;
using torch::autograd::AutogradContext;

struct Result : torch::CustomClassHolder {
  Tensor values, radial;
  Result(Tensor v, Tensor r) : values(v), radial(r) {}
};
Result computed(const Tensor &x);

struct Copied : torch::autograd::Function<Copied> {
  static Tensor forward(AutogradContext *context, const Tensor &x) {
    Result result = computed(x);
    auto kept = c10::make_intrusive<Result>(result);
    context->saved_data["result"] = kept; // expected-warning {{'values' is an output of this function and a part of 'result', which is kept in 'saved_data' of its own node: nothing frees either of them}} [tensor-graph-cycle]
    return result.values;
  }
};

class Block : public torch::CustomClassHolder {
public:
  Tensor values() const { return values_; }
  Tensor doubled() const { return values_ * 2; }
  Tensor samples() const;
  Tensor at(int64_t i) const;

private:
  Tensor values_;
};
using BlockRef = torch::intrusive_ptr<Block>;
BlockRef blocks(const Tensor &x);

struct ByGetter : torch::autograd::Function<ByGetter> {
  static Tensor forward(AutogradContext *context, Tensor x, BlockRef block) {
    auto values = block->values();
    context->saved_data["block"] = block; // expected-warning {{'values' is an output of this function and a part of 'block', which is kept in 'saved_data'}} [tensor-graph-cycle]
    return values;
  }
};
/// What a getter does that is not in view is what its name says, at most.
struct ByUnseenGetter : torch::autograd::Function<ByUnseenGetter> {
  static Tensor forward(AutogradContext *context, Tensor x, BlockRef block) {
    context->saved_data["block"] = block; // expected-note {{what is returned is an output of this function; where 'samples()' gives a part of 'block', which is kept in 'saved_data' of its own node, nothing frees either of them}} [tensor-graph-cycle]
    return block->samples();
  }
};
struct InList : torch::autograd::Function<InList> {
  static std::vector<Tensor> forward(AutogradContext *context, Tensor x) {
    auto block = blocks(x);
    std::vector<Tensor> all;
    all.push_back(block->samples());
    context->saved_data["block"] = block; // expected-note {{'all' is an output of this function; where 'samples()' gives a part of 'block'}} [tensor-graph-cycle]
    return all;
  }
};
/// Only if backward() runs.
struct Erased : torch::autograd::Function<Erased> {
  static Tensor forward(AutogradContext *context, const Tensor &x) {
    Result result = computed(x);
    context->saved_data["result"] = c10::make_intrusive<Result>(result);
    auto y = x.exp();
    context->saved_data["y"] = y; // expected-note {{'y' is an output of this function and is kept in 'saved_data' of its own node: only the method that takes it out again frees them}} [tensor-graph-cycle]
    return y;
  }
  static torch::autograd::variable_list backward(AutogradContext *context,
                                                 torch::autograd::variable_list gradients) {
    auto y = context->saved_data["y"].toTensor();
    context->saved_data.erase("y");
    return {gradients[0] * y};
  }
};

//===-- Near misses -------------------------------------------------------===//

struct OtherPart : torch::autograd::Function<OtherPart> {
  static Tensor forward(AutogradContext *context, const Tensor &x) {
    Result result = computed(x);
    context->saved_data["radial"] = result.radial;
    return result.values;
  }
};
struct Computed : torch::autograd::Function<Computed> {
  static Tensor forward(AutogradContext *context, Tensor x, BlockRef block) {
    auto values = block->doubled();
    context->saved_data["block"] = block;
    return values;
  }
};
struct ComputedFrom : torch::autograd::Function<ComputedFrom> {
  static Tensor forward(AutogradContext *context, Tensor x, BlockRef block) {
    auto values = block->values().exp();
    context->saved_data["block"] = block;
    return values;
  }
};
struct Element : torch::autograd::Function<Element> {
  static Tensor forward(AutogradContext *context, Tensor x, BlockRef block) {
    auto values = block->at(0);
    context->saved_data["block"] = block;
    return values;
  }
};
struct OtherObject : torch::autograd::Function<OtherObject> {
  static Tensor forward(AutogradContext *context, Tensor x, BlockRef block) {
    context->saved_data["block"] = block;
    return blocks(x)->values();
  }
};
