// Containers behind a shared pointer, of which each copy is another name.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <functional>
#include <map>
#include <memory>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;
using History = std::vector<Tensor>;

Tensor loss_of(torch::nn::Linear &net) { return net->forward(torch::ones({8, 16})).sum(); } // expected-path {{the graph starts here}}

class Trainer {
public:
  void run(torch::nn::Linear net) {
    for (int step = 0; step < 100; ++step)
      history_->push_back(loss_of(net)); // expected-warning {{what is added to 'history_'}} [tensor-retained-activation]
  }

private:
  std::shared_ptr<History> history_ = std::make_shared<History>(); // expected-path {{'history_' is declared here}}
};

void of_the_caller(torch::nn::Linear net, std::shared_ptr<History> history) { // expected-path {{'history' is declared here}}
  for (int step = 0; step < 100; ++step)
    history->push_back(loss_of(net)); // expected-note {{what is added to 'history'}} [tensor-retained-activation]
}

void of_the_caller_by_name(torch::nn::Linear net, const std::shared_ptr<History> &history) { // expected-path {{'history' is declared here}}
  auto &losses = *history;
  for (int step = 0; step < 100; ++step)
    losses.push_back(loss_of(net)); // expected-note {{what is added to 'history'}} [tensor-retained-activation]
}

void by_step(torch::nn::Linear net) {
  auto outputs = std::make_shared<std::map<int, Tensor>>(); // expected-path {{'outputs' is declared here}}
  for (int step = 0; step < 100; ++step)
    (*outputs)[step] = loss_of(net); // expected-warning {{what is added to 'outputs'}} [tensor-retained-activation]
}

static void record(std::shared_ptr<std::vector<std::vector<Tensor>>> all, Tensor loss) {
  all->push_back({loss}); // expected-warning {{what is added to 'all'}} [tensor-retained-activation]
}
void by_callee(torch::nn::Linear net) {
  auto all = std::make_shared<std::vector<std::vector<Tensor>>>(); // expected-path {{'all' is declared here}}
  for (int step = 0; step < 100; ++step)
    record(all, loss_of(net)); // expected-path {{called here in every step}}
}

//===-- Near misses ----------------------------------------------------------===//

// The other name empties it. Which one that is, only the types tell.
using Lists = std::shared_ptr<std::vector<std::pair<int, Tensor>>>;
class Writer {
public:
  explicit Writer(Lists lists) : lists_(std::move(lists)) {}
  void flush() { lists_->clear(); }

private:
  Lists lists_;
};
void emptied_by_another(torch::nn::Linear net) {
  Lists lists = std::make_shared<std::vector<std::pair<int, Tensor>>>(); // expected-path {{'lists' is declared here}}
  Writer writer(lists);
  for (int step = 0; step < 100; ++step) {
    lists->push_back({step, loss_of(net)}); // expected-note {{never run backward; all activations stay alive until it is emptied}} [tensor-retained-activation]
    writer.flush();
  }
}

// Run backward by the other name.
void run_by_another(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  auto losses = std::make_shared<std::map<long, Tensor>>();
  auto other = losses;
  for (int step = 0; step < 100; ++step)
    (*losses)[step] = loss_of(net);
  for (auto &entry : *other)
    entry.second.backward();
  optimizer.step();
}

// A list of each round.
void of_each_round(torch::nn::Linear net) {
  for (int step = 0; step < 100; ++step) {
    auto losses = std::make_shared<std::vector<std::pair<long, Tensor>>>();
    losses->push_back({step, loss_of(net)});
    losses->push_back({step, loss_of(net)});
  }
}

// Somebody else has it too, and may empty it.
void keep(std::shared_ptr<std::vector<std::map<int, Tensor>>> lists);
void handed_on(torch::nn::Linear net) {
  auto lists = std::make_shared<std::vector<std::map<int, Tensor>>>();
  for (int step = 0; step < 100; ++step) {
    lists->push_back({{step, loss_of(net)}});
    keep(lists);
  }
}
