// Methods of LibTorch's modules, optimizers and loaded modules, one a line: what the model says of
// each, and the facts that follow.
//
// REQUIRES: torch
// RUN: %check_facts %s
#include <sstream>
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

// The names that are conventions for the user's own modules.
struct Policy : torch::nn::Module {
  Tensor forward(Tensor x);
  Tensor operator()(Tensor x);
  Tensor forward_with_hidden(Tensor x);
  Tensor log_prob(Tensor x);
  void train(bool on = true) override;
  bool is_training() const noexcept override;
  void to(torch::Device device, bool non_blocking = false) override;
  void save(torch::serialize::OutputArchive &out) const override;
  void load(torch::serialize::InputArchive &in) override;
  void pretty_print(std::ostream &out) const override;
  std::shared_ptr<Module>
  clone(const c10::optional<torch::Device> &device = c10::nullopt) const override;
};

// An optimizer that is not LibTorch's.
struct Averaging : torch::optim::Optimizer {
  void save(torch::serialize::OutputArchive &out) const override;
  void load(torch::serialize::InputArchive &in) override;
};

//===-- torch::nn::Module -------------------------------------------------===//

struct Parts : torch::nn::Module {
  Parts(torch::nn::Linear part, Tensor x) {
    register_module("part", part); // FACTS: call register_module: Register; Register this
    register_parameter("weight", x); // FACTS: call register_parameter: Register GivesLeaf; Register this; Compute register_parameter(this, x), a leaf that requires grad
    register_buffer("mean", x); // FACTS: call register_buffer: Register; Register this; Compute register_buffer(this, x)
    replace_module("part", part); // FACTS: call replace_module: Nothing
  }
};

void module(Policy &policy, Tensor x) {
  policy.forward(x); // FACTS: call forward: Forward; without parameters; Forward policy; Compute forward(x)
  policy(x); // FACTS: call operator(): Forward; without parameters; Forward policy; Compute operator()(x)
  policy.forward_with_hidden(x); // FACTS: call forward_with_hidden: Forward; without parameters; Forward policy; Compute forward_with_hidden(x)
  policy.log_prob(x); // FACTS: call log_prob: Forward; without parameters; Forward policy; Compute log_prob(x)
  policy.zero_grad(); // FACTS: call zero_grad: ResetGrad; ResetGrad policy
  policy.parameters(); // FACTS: call parameters: Parameters; Compute parameters(policy)
  policy.named_parameters(); // FACTS: call named_parameters: Parameters; Compute named_parameters(policy)
  policy.eval(); // FACTS: call eval: EvalMode; EvalMode policy
}

void module_that_stays_as_it_is(Policy &policy, torch::serialize::OutputArchive &out,
                                torch::serialize::InputArchive &in) {
  policy.train(); // FACTS: call train: TrainModule
  policy.is_training(); // FACTS: call is_training: Nothing
  policy.to(torch::kCPU); // FACTS: call to: Nothing
  policy.save(out); // FACTS: call save: Nothing
  policy.load(in); // FACTS: call load: Nothing
  policy.pretty_print(std::cout); // FACTS: call pretty_print: Nothing
  policy.children(); // FACTS: call children: Nothing
  policy.modules(); // FACTS: call modules: Nothing
  policy.named_children(); // FACTS: call named_children: Nothing
  policy.named_modules(); // FACTS: call named_modules: Nothing
  policy.buffers(); // FACTS: call buffers: Nothing
  policy.named_buffers(); // FACTS: call named_buffers: Nothing
  policy.name(); // FACTS: call name: Nothing
  policy.apply([](torch::nn::Module &) {}); // FACTS: call apply: Nothing; UserCall with ?, in operator(); UserCall with ?, in operator()
  policy.clone(); // FACTS: call clone: Nothing
}

//===-- torch::nn::SequentialImpl -----------------------------------------===//

void sequential(torch::nn::Sequential list, torch::nn::Linear part) {
  list->push_back(part); // FACTS: call push_back: Register; call operator->: Nothing; Register list
  list->extend(*list); // FACTS: call extend: Register; call operator->: Nothing; call operator*: Nothing; Register list
}

//===-- torch::nn::ModuleListImpl -----------------------------------------===//

void module_list(torch::nn::ModuleList list, torch::nn::Linear part) {
  list->push_back(part); // FACTS: call push_back: Register; call operator->: Nothing; Register list
  list->extend(*list); // FACTS: call extend: Register; call operator->: Nothing; call operator*: Nothing; Register list
}

//===-- torch::nn::ModuleHolder -------------------------------------------===//

void holder(torch::nn::Linear part, Tensor x) {
  part(x); // FACTS: call operator(): Forward; Forward part; Compute operator()(x)
}

//===-- torch::nn::AnyModule ----------------------------------------------===//

void any_module(torch::nn::AnyModule part, Tensor x) {
  part.forward(x); // FACTS: call forward: Forward; Forward part; Compute forward(x)
  part.any_forward(x); // FACTS: call any_forward: Forward; Forward part; Compute any_forward(x); Escape x := x
}

//===-- torch::jit::Module ------------------------------------------------===//

void loaded(torch::jit::Module module, Tensor x) {
  module.forward({x}); // FACTS: call forward: Forward; Forward module; Compute forward({{{...}}})
  module.operator()({x}); // FACTS: call operator(): Forward; Forward module; Compute operator()({{{...}}})
  module.eval(); // FACTS: call eval: EvalMode; EvalMode module
  module.train(); // FACTS: call train: TrainModule
  module.parameters(); // FACTS: call parameters: TrainModule
  module.named_parameters(); // FACTS: call named_parameters: TrainModule
  module.to(torch::kCPU); // FACTS: call to: Nothing
  module.save("m.pt"); // FACTS: call save: Nothing
  module.is_training(); // FACTS: call is_training: Nothing
  module.attr("scale"); // FACTS: call attr: Nothing
  module.setattr("scale", 1); // FACTS: call setattr: Nothing
  module.dump(true, true, true); // FACTS: call dump: Nothing
}

//===-- torch::jit::Object ------------------------------------------------===//

void methods(torch::jit::Module module, Tensor x) {
  module.run_method("infer", x); // FACTS: call run_method: Forward; Forward module; Compute run_method(x)
  module.get_method("infer"); // FACTS: call get_method: Element
  module.get_method("infer")({x}); // FACTS: call operator(): Forward; call get_method: Element; Forward module; Compute operator()(module, {{{...}}})
}

//===-- torch::jit::Method ------------------------------------------------===//

void loaded_method(torch::jit::Method &method, Tensor x) {
  method({x}); // FACTS: call operator(): Forward; Forward method; Compute operator()(method, {{{...}}})
}

//===-- torch::optim::Optimizer -------------------------------------------===//

void optimizer(torch::optim::Optimizer &by, Tensor x, torch::serialize::OutputArchive &out,
               torch::serialize::InputArchive &in, const torch::optim::OptimizerParamGroup &group) {
  by.step([] { return Tensor(); }); // FACTS: call step: StepParams; UserCall, in operator(); UserCall, in operator(); Compute step(), in operator(); Step by
  by.zero_grad(); // FACTS: call zero_grad: ResetGrad; ResetGrad by
  by.param_groups(); // FACTS: call param_groups: Nothing
  by.state(); // FACTS: call state: Nothing
  by.defaults(); // FACTS: call defaults: Nothing
  by.size(); // FACTS: call size: Nothing
  by.save(out); // FACTS: call save: Nothing
  by.load(in); // FACTS: call load: Nothing
  by.parameters(); // FACTS: call parameters: Nothing
  by.add_param_group(group); // FACTS: call add_param_group: Register; Register by
  by.add_parameters({x}); // FACTS: call add_parameters: Register; Register by
}

void own_optimizer(Averaging &by, torch::serialize::OutputArchive &out,
                   torch::serialize::InputArchive &in) {
  by.save(out); // FACTS: call save: Nothing
  by.load(in); // FACTS: call load: Nothing
}

//===-- OPTIMIZER_STATE ---------------------------------------------------===//

void optimizers(std::vector<Tensor> parameters) {
  { torch::optim::SGD stateless(parameters, 0.1); } // FACTS: BindParams stateless with parameters
  { torch::optim::RMSprop by(parameters); } // FACTS: optimizer: state of 1 times its parameters; BindParams by with parameters
  { torch::optim::Adagrad by(parameters); } // FACTS: optimizer: state of 1 times its parameters; BindParams by with parameters
  { torch::optim::Adam by(parameters); } // FACTS: optimizer: state of 2 times its parameters; BindParams by with parameters
  { torch::optim::AdamW by(parameters); } // FACTS: optimizer: state of 2 times its parameters; BindParams by with parameters
}

//===-- c10::IValue -------------------------------------------------------===//

void any_value(c10::IValue value) {
  value.toTensor(); // FACTS: call toTensor: Forward1
  value.toTuple(); // FACTS: call toTuple: Forward1
  value.toTensorVector(); // FACTS: call toTensorVector: Forward1
  value.toTensorList(); // FACTS: call toTensorList: Forward1
  value.toList(); // FACTS: call toList: Forward1
  value.toTupleRef(); // FACTS: call toTupleRef: Forward1
  value.toGenericDict(); // FACTS: call toGenericDict: Forward1
}

//===-- c10::ivalue::Tuple ------------------------------------------------===//

void tuple(c10::IValue value) {
  value.toTuple()->elements()[0].toTensor(); // FACTS: call toTensor: Forward1; call operator[]: Element; call elements: Element; call operator->: Element; call toTuple: Forward1
}

//===-- c10::ivalue::TupleElements ----------------------------------------===//

void tuple_elements(c10::IValue value) {
  const auto &all = value.toTuple()->elements();
  all[0]; // FACTS: call operator[]: Element
  all.at(0); // FACTS: call at: Element
  all.vec(); // FACTS: call vec: Element
  all.begin(); // FACTS: call begin: Element
  all.end(); // FACTS: call end: Element
}

//===-- c10::intrusive_ptr --------------------------------------------------===//

void tuple_pointer(c10::IValue value) {
  auto pointer = value.toTuple();
  pointer->elements(); // FACTS: call elements: Element; call operator->: Element
  *pointer; // FACTS: call operator*: Element
  pointer.get(); // FACTS: call get: Element
}

//===-- c10::List -----------------------------------------------------------===//

void list(c10::IValue value) {
  auto all = value.toTensorList();
  all.get(0); // FACTS: call get: Element
  Tensor first = all[0]; // FACTS: call operator const at::Tensor &: Element; call operator[]: Element; Store first := all, declares
  all.begin(); // FACTS: call begin: Element
  all.end(); // FACTS: call end: Element
}

//===-- c10::impl::ListIterator ---------------------------------------------===//

void list_iterator(c10::List<c10::IValue> all) {
  *all.begin(); // FACTS: call operator*: Element; call begin: Element
}

//===-- c10::Dict -----------------------------------------------------------===//

void dictionary(c10::IValue value) {
  auto all = value.toGenericDict();
  all.at("mask"); // FACTS: call at: Element
  all.find("mask"); // FACTS: call find: Element
  all.begin(); // FACTS: call begin: Element
  all.end(); // FACTS: call end: Element
}

//===-- c10::impl::DictIterator ---------------------------------------------===//

void dictionary_iterator(c10::Dict<c10::IValue, c10::IValue> all) {
  *all.begin(); // FACTS: call operator*: Element; call begin: Element
  all.begin().operator->(); // FACTS: call operator->: Element; call begin: Element
}

//===-- c10::impl::DictEntryRef ---------------------------------------------===//

void dictionary_entry(c10::Dict<c10::IValue, c10::IValue> all) {
  all.begin()->value(); // FACTS: call value: Element; call operator->: Element; call begin: Element
}

//===-- PARAMETERLESS_MODULES ---------------------------------------------===//

void layers(Tensor x) {
  torch::nn::Linear(2, 2)(x); // FACTS: call operator(): Forward; Forward; Compute operator()(x)
  torch::nn::BatchNorm2d(2)(x); // FACTS: call operator(): Forward; Forward; Compute operator()(x)
  torch::nn::ReLU()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::LeakyReLU()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Sigmoid()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Tanh()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Dropout()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Dropout2d()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Flatten()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::GELU()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::SiLU()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ELU()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::SELU()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Softplus()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Identity()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ReLU6()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Hardtanh()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Softmax(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::LogSoftmax(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::MaxPool1d(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::MaxPool2d(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::MaxPool3d(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::AvgPool1d(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::AvgPool2d(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::AvgPool3d(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::AdaptiveAvgPool2d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::AdaptiveMaxPool2d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Unflatten(torch::nn::UnflattenOptions(1, {2, 2}))(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Upsample(torch::nn::UpsampleOptions().mode(torch::kNearest))(x); // FACTS: call operator(): Forward; without parameters; call mode: Nothing; Forward; Compute operator()(x)
  torch::nn::ZeroPad2d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ReflectionPad2d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ConstantPad2d(1, 0)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::PixelShuffle(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::CELU()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::GLU()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Hardshrink()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::LogSigmoid()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Mish()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::RReLU()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Softmax2d()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Softshrink()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Softsign()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Tanhshrink()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Dropout3d()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::AlphaDropout()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::FeatureAlphaDropout()(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Softmin(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Threshold(1, 0)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::AdaptiveAvgPool1d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::AdaptiveAvgPool3d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::AdaptiveMaxPool1d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::AdaptiveMaxPool3d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ReflectionPad1d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ReplicationPad1d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ReplicationPad2d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ReplicationPad3d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ReflectionPad3d(1)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ConstantPad1d(1, 0)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::ConstantPad3d(1, 0)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::FractionalMaxPool2d(torch::nn::FractionalMaxPool2dOptions(2).output_size(1))(x); // FACTS: call operator(): Forward; without parameters; call output_size: Configure; Forward; Compute operator()(x)
  torch::nn::FractionalMaxPool3d(torch::nn::FractionalMaxPool3dOptions(2).output_size(1))(x); // FACTS: call operator(): Forward; without parameters; call output_size: Configure; Forward; Compute operator()(x)
  torch::nn::LPPool1d(2, 2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::LPPool2d(2, 2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Fold(torch::nn::FoldOptions(2, 2))(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::Unfold(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::PixelUnshuffle(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::LocalResponseNorm(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::CrossMapLRN2d(2)(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
  torch::nn::MaxUnpool1d(2)(x, x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, x)
  torch::nn::MaxUnpool2d(2)(x, x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, x)
  torch::nn::MaxUnpool3d(2)(x, x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, x)
  torch::nn::PairwiseDistance()(x, x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, x)
  torch::nn::Functional{torch::relu}(x); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x)
}

//===-- PARAMETERLESS_MODULES ---------------------------------------------===//

void losses(Tensor x, Tensor y, Tensor z) {
  torch::nn::MSELoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::L1Loss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::SmoothL1Loss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::CrossEntropyLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::NLLLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::BCELoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::BCEWithLogitsLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::KLDivLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::HuberLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::CosineSimilarity()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::HingeEmbeddingLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::TripletMarginLoss()(x, y, z); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y, z)
  torch::nn::CosineEmbeddingLoss()(x, y, z); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y, z)
  torch::nn::MarginRankingLoss()(x, y, z); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y, z)
  torch::nn::MultiLabelMarginLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::MultiLabelSoftMarginLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::MultiMarginLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::PoissonNLLLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::SoftMarginLoss()(x, y); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y)
  torch::nn::TripletMarginWithDistanceLoss()(x, y, z); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y, z)
  torch::nn::CTCLoss()(x, y, z, z); // FACTS: call operator(): Forward; without parameters; Forward; Compute operator()(x, y, z, z)
}

//===-- Objects of options --------------------------------------------------===//

void options(Tensor w) {
  torch::nn::functional::CrossEntropyFuncOptions().weight(w); // FACTS: call weight: Configure
  torch::nn::functional::CrossEntropyFuncOptions set;
  set.weight(w); // FACTS: call weight: Configure; StoreWeak set := w
  set.ignore_index(3); // FACTS: call ignore_index: Configure
}
