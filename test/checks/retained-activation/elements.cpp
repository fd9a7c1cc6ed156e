// Elements of a list that are computed from themselves, and loops over the parts of a network.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <torch/torch.h>

using torch::Tensor;

Tensor next_chunk(int step);
bool is_last(int step);

//===-- The state of each layer in a list ---------------------------------===//

void stacked(std::vector<torch::nn::GRUCell> cells) {
  std::vector<Tensor> h(3, torch::zeros({1, 64})); // expected-path {{'h' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step) {
    auto x = next_chunk(step);
    for (size_t i = 0; i < cells.size(); ++i) {
      h[i] = cells[i]->forward(x, h[i]); // expected-warning {{'h' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
      x = h[i];
    }
  }
}

void first_alone(torch::nn::GRUCell cell) {
  Tensor h[2] = {torch::zeros({1, 64}), torch::zeros({1, 64})}; // expected-path {{'h' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step)
    h[0] = cell->forward(next_chunk(step), h[0]); // expected-warning {{'h' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

class Stack {
public:
  void step(Tensor x) {
    for (size_t i = 0; i < cells_.size(); ++i)
      states_[i] = cells_[i]->forward(x, states_[i]); // expected-warning {{'states_' (a member) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }

private:
  std::vector<torch::nn::GRUCell> cells_;
  std::vector<Tensor> states_; // expected-path {{'states_' is declared here and outlives the step}}
};

// Row 17: the nodes of all steps stay, but no tensor.
void average_of_weights(torch::nn::Linear net) {
  std::vector<Tensor> average; // expected-path {{'average' is declared here and outlives the step}}
  auto weights = net->parameters();
  for (auto &p : weights)
    average.push_back(p.clone()); // expected-path {{the graph starts here}}
  for (int step = 0; step < 1000; ++step)
    for (size_t i = 0; i < weights.size(); ++i)
      average[i] = 0.99 * average[i] + 0.01 * weights[i]; // expected-note {{the autograd nodes of every step stay alive with it}} [tensor-retained-activation]
}

//===-- Near misses -------------------------------------------------------===//

void detached(std::vector<torch::nn::GRUCell> cells) {
  std::vector<Tensor> h(3, torch::zeros({1, 64}));
  for (int step = 0; step < 1000; ++step)
    for (size_t i = 0; i < cells.size(); ++i)
      h[i] = cells[i]->forward(next_chunk(step), h[i]).detach();
}

void detached_together(std::vector<torch::nn::GRUCell> cells) {
  std::vector<Tensor> h(3, torch::zeros({1, 64}));
  for (int step = 0; step < 1000; ++step) {
    for (size_t i = 0; i < cells.size(); ++i)
      h[i] = cells[i]->forward(next_chunk(step), h[i]);
    for (auto &state : h)
      state = state.detach();
  }
}

void detached_after(std::vector<torch::nn::GRUCell> cells) {
  std::vector<Tensor> h(3, torch::zeros({1, 64}));
  for (int step = 0; step < 1000; ++step)
    for (size_t i = 0; i < cells.size(); ++i) {
      h[i] = cells[i]->forward(next_chunk(step), h[i]);
      h[i] = h[i].detach();
    }
}

void anew_in_each_step(std::vector<torch::nn::GRUCell> cells) {
  std::vector<Tensor> h;
  for (int step = 0; step < 1000; ++step) {
    h.assign(3, torch::zeros({1, 64}));
    for (size_t i = 0; i < cells.size(); ++i)
      h[i] = cells[i]->forward(next_chunk(step), h[i]);
  }
}

// Each element once.
void each_once(torch::nn::Linear net, std::vector<Tensor> xs) {
  for (size_t i = 0; i < xs.size(); ++i)
    xs[i] = net->forward(xs[i]);
}

// From the one before: as long as the list, and the first is made anew.
void from_the_one_before(torch::nn::Linear net) {
  std::vector<Tensor> f(10);
  for (int step = 0; step < 1000; ++step) {
    f[0] = next_chunk(step);
    for (int i = 1; i < 10; ++i)
      f[i] = net->forward(f[i - 1]);
  }
}

// A key that counts on names another element in each round.
void counted(torch::nn::Linear net, std::vector<Tensor> f) {
  int next = 0;
  for (int step = 0; step < 1000; ++step) {
    f[next] = net->forward(f[next]);
    ++next;
  }
}

//===-- Loops over the parts of a network ---------------------------------===//

// One forward pass, layer by layer; x is new in each step.
void by_index(std::vector<torch::nn::Linear> layers) {
  for (int step = 0; step < 1000; ++step) {
    auto x = next_chunk(step);
    for (size_t i = 0; i < layers.size(); ++i)
      x = torch::relu(layers[i]->forward(x));
  }
}

void by_range(std::vector<torch::nn::Linear> layers) {
  for (int step = 0; step < 1000; ++step) {
    auto x = next_chunk(step);
    for (auto &layer : layers)
      x = torch::relu(layer->forward(x));
  }
}

void copies_of_parameters(torch::nn::Linear net, std::vector<float> &norms) {
  std::vector<Tensor> copies;
  for (auto &p : net->parameters())
    copies.push_back(p * 2);
  norms.push_back(copies.size());
}

// The same loops, where what they add to outlives the steps.
void over_all_steps(std::vector<torch::nn::Linear> layers) {
  Tensor x = torch::rand({1, 64}); // expected-path {{'x' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step)
    for (auto &layer : layers)
      x = torch::relu(layer->forward(x)); // expected-warning {{'x' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

void ensemble(std::vector<torch::nn::Linear> models) {
  std::vector<Tensor> outputs; // expected-path {{'outputs' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step)
    for (auto &model : models)
      outputs.push_back(model->forward(next_chunk(step))); // expected-warning {{'outputs' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
}

// As many rounds as the caller wants: not parts, steps.
void rollout(torch::nn::Linear net, int steps) {
  Tensor x = torch::rand({1, 64}); // expected-path {{'x' is declared here and outlives the step}}
  for (int i = 0; i < steps; ++i)
    x = torch::relu(net->forward(x)); // expected-warning {{'x' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

//===-- Other ways to go over the parts -----------------------------------===//

void by_while(std::vector<torch::nn::Linear> layers) {
  for (int step = 0; step < 1000; ++step) {
    auto x = next_chunk(step);
    size_t i = 0;
    while (i < layers.size()) {
      x = torch::relu(layers[i]->forward(x));
      ++i;
    }
  }
}

void by_algorithm(std::vector<torch::nn::Linear> layers) {
  for (int step = 0; step < 1000; ++step) {
    auto x = next_chunk(step);
    std::for_each(layers.begin(), layers.end(),
                  [&](torch::nn::Linear &layer) { x = torch::relu(layer->forward(x)); });
  }
}

void copies_of_optional(torch::nn::Linear net, std::vector<float> &norms) {
  std::optional<std::vector<Tensor>> weights = net->parameters();
  std::vector<Tensor> copies;
  for (size_t i = 0; i < weights->size(); ++i) {
    auto &p = (*weights)[i];
    copies.push_back(p * 2);
  }
  norms.push_back(copies.size());
}

// The counter of a loop that has no part to choose counts steps.
void rollout_by_while(torch::nn::Linear net, std::vector<torch::nn::Linear> layers) {
  Tensor x = torch::rand({1, 64}); // expected-path {{'x' is declared here and outlives the step}}
  size_t i = 0;
  while (i < 1000) {
    x = torch::relu(net->forward(x)); // expected-warning {{'x' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
    i += layers.size();
  }
}

void all_steps_by_algorithm(std::vector<torch::nn::Linear> layers) {
  Tensor x = torch::rand({1, 64}); // expected-path {{'x' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step)
    std::for_each(layers.begin(), layers.end(), [&](torch::nn::Linear &layer) { // expected-path {{called here in every step}}
      x = torch::relu(layer->forward(x)); // expected-warning {{'x' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
    });
}

//===-- Lists in a map ----------------------------------------------------===//

// An element of the list that is an entry is a part of the entry.
void entry_from_the_one_before(torch::nn::Linear net) {
  std::map<int, std::vector<Tensor>> lists;
  lists.emplace(0, std::vector<Tensor>(10));
  for (int step = 0; step < 1000; ++step) {
    lists.at(0)[0] = next_chunk(step);
    for (int i = 1; i < 10; ++i)
      lists.at(0)[i] = net->forward(lists.at(0)[i - 1]);
  }
}

void entry_from_itself(std::vector<torch::nn::GRUCell> cells) {
  std::map<int, std::vector<Tensor>> lists; // expected-path {{'lists' is declared here and outlives the step}}
  lists.emplace(0, std::vector<Tensor>(10));
  for (int step = 0; step < 1000; ++step)
    for (size_t i = 0; i < cells.size(); ++i)
      lists.at(0)[i] = cells[i]->forward(next_chunk(step), lists.at(0)[i]); // expected-warning {{'lists' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

//===-- Entries that an iterator or a reference names ---------------------===//

void by_iterator(torch::nn::Linear net, const std::string &name) {
  std::map<std::string, Tensor> sums; // expected-path {{'sums' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step) {
    auto loss = net->forward(next_chunk(step)).sum(); // expected-path {{the graph starts here}}
    auto it = sums.find("loss");
    if (it == sums.end())
      sums["loss"] = loss;
    else
      it->second = it->second + loss; // expected-warning {{'sums' (declared outside the loop) is computed from itself}} [tensor-retained-activation]
  }
}

// Another entry in each round.
void by_new_iterator(torch::nn::Linear net) {
  std::map<int, Tensor> sums;
  torch::NoGradGuard no_grad;
  for (int step = 0; step < 1000; ++step) {
    auto loss = net->forward(next_chunk(step)).sum();
    auto it = sums.find(step);
    if (it != sums.end())
      it->second = it->second + loss;
  }
}

void by_own_iterator(torch::nn::Linear net, std::map<int, Tensor> sums) {
  auto it = sums.begin();
  for (int step = 0; step < 1000; ++step, ++it) {
    auto loss = net->forward(next_chunk(step)).sum();
    loss.backward();
    it->second = it->second + loss.detach();
  }
}

void taking_turns(torch::nn::GRUCell cell) {
  std::array<Tensor, 2> state{torch::zeros({1, 64}), torch::zeros({1, 64})}; // expected-path {{'state' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step) {
    auto &before = state[step % 2];
    state[(step + 1) % 2] = cell->forward(next_chunk(step), before); // expected-warning {{'state' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
}

// Two at a time, each made anew.
void two_at_a_time(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::array<Tensor, 2> batches{next_chunk(0), next_chunk(1)};
  for (int step = 0; step < 1000; ++step) {
    optimizer.zero_grad();
    net->forward(batches[step % 2]).sum().backward();
    optimizer.step();
    batches[(step + 1) % 2] = next_chunk(step);
  }
}

void turns_without_graph(torch::nn::GRUCell cell) {
  std::array<Tensor, 2> state{torch::zeros({1, 64}), torch::zeros({1, 64})};
  for (int step = 0; step < 1000; ++step) {
    torch::NoGradGuard no_grad;
    state[(step + 1) % 2] = cell->forward(next_chunk(step), state[step % 2]);
  }
}

//===-- States that a loop in each step goes over ---------------------------===//

double states_of_each_step(torch::nn::Linear f) {
  std::vector<Tensor> h(4, torch::zeros({1, 64})); // expected-path {{'h' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step)
    for (int i = 0; i < 4; ++i)
      h[i] = torch::tanh(f(h[i])); // expected-warning {{'h' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
  return h[0].sum().item<double>();
}

// They begin anew in each step, or let go of what was before.
void states_of_one_step(torch::nn::Linear f) {
  for (int step = 0; step < 1000; ++step) {
    std::vector<Tensor> h(4, torch::zeros({1, 64}));
    for (int i = 0; i < 4; ++i)
      h[i] = torch::tanh(f(h[i]));
    next_chunk(step) += h[3].detach();
  }
}

double states_let_go(torch::nn::Linear f) {
  std::vector<Tensor> h(4, torch::zeros({1, 64}));
  for (int step = 0; step < 1000; ++step) {
    for (int i = 0; i < 4; ++i)
      h[i] = torch::tanh(f(h[i]));
    for (int i = 0; i < 4; ++i)
      h[i] = h[i].detach();
  }
  return h[0].sum().item<double>();
}

//===-- Entries for each part of a network ----------------------------------===//

struct Tapped : torch::nn::Module {
  std::vector<torch::nn::Linear> layers;
  std::map<int, Tensor> by_index, of_all; // expected-path {{'of_all' is declared here and outlives the step}}
  std::map<std::string, Tensor> by_name;
  int count = 0;

  Tensor forward(Tensor x) {
    for (size_t i = 0; i < layers.size(); ++i) {
      x = layers[i]->forward(x);
      by_index[i] = x;
    }
    int k = 0;
    for (auto &layer : layers) {
      x = layer(x);
      by_name["layer" + std::to_string(k++)] = x;
    }
    for (auto &layer : layers) {
      x = layer(x); // expected-path {{the graph starts here}}
      of_all[count++] = x; // expected-warning {{'of_all' (a member)}} [tensor-retained-activation]
    }
    return x;
  }
};

double entries(Tapped net) {
  std::map<int, Tensor> last, each; // expected-path {{'each' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step)
    for (size_t i = 0; i < net.layers.size(); ++i) {
      auto y = net.layers[i]->forward(next_chunk(step)); // expected-path {{the graph starts here}}
      last[i] = y;
      each[step * 8 + i] = y; // expected-warning {{'each' (declared outside the loop)}} [tensor-retained-activation]
    }
  return last[0].sum().item<double>() + each[0].sum().item<double>();
}
