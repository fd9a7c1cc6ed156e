// What a function returns goes to its callers. Where all of them are in this file, what they do
// with it decides; and what each step reads of a list in a function of its own empties nothing.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch(int step);
void consume(float value);

//===-- Read by the callers -----------------------------------------------===//

struct Totals {
  Tensor loss; // expected-path {{'loss' is declared here and outlives the step}}
  int count = 0;
};

static void add(Totals &totals, const Tensor &loss) {
  totals.loss = totals.loss + loss; // expected-warning {{'loss' (a member) is computed from itself}} [tensor-retained-activation]
  ++totals.count;
}

static Totals validate(torch::nn::Linear net) {
  Totals totals{torch::zeros({})};
  for (int i = 0; i < 100; ++i)
    add(totals, torch::relu(net->forward(next_batch(i))).sum()); // expected-path {{}}
  return totals;
}

void report(torch::nn::Linear net) {
  Totals totals = validate(net);
  consume(totals.loss.item<float>() / totals.count);
}

class Best {
public:
  void update(const Tensor &score) {
    if (!best_.defined())
      best_ = score;
    else
      best_ = torch::max(best_, score); // expected-warning {{'best_' (a member) is computed from itself}} [tensor-retained-activation]
  }
  Tensor best() const { return best_; }

private:
  Tensor best_; // expected-path {{}}
};

void score(torch::nn::Linear net) {
  Best best;
  for (int i = 0; i < 100; ++i)
    best.update(net->forward(next_batch(i)).sum()); // expected-path {{}} expected-path {{}}
  consume(best.best().item<float>());
}

//===-- Not so: a caller goes backward ------------------------------------===//

struct Terms {
  Tensor sum;
};

static Terms terms(torch::nn::Linear net) {
  Terms terms{torch::zeros({})};
  for (int i = 0; i < 4; ++i)
    terms.sum = terms.sum + net->forward(next_batch(i)).sum();
  return terms;
}

void train(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    terms(net).sum.backward();
    optimizer.step();
  }
}

//===-- Not so: others may call it ----------------------------------------===//

struct Handed {
  Tensor sum;
};

static Handed handed(torch::nn::Linear net) {
  Handed made{torch::zeros({})};
  for (int i = 0; i < 4; ++i)
    made.sum = made.sum + net->forward(next_batch(i)).sum();
  return made;
}

using Maker = Handed (*)(torch::nn::Linear);
void use(Maker make);

void hand_out(torch::nn::Linear net) {
  consume(handed(net).sum.item<float>());
  use(&handed);
}

//===-- A list that a function of the steps reads -------------------------===//

struct Episode {
  std::vector<Tensor> log_probs; // expected-path {{'log_probs' is declared here and outlives the step}}
};

static void act(torch::nn::Linear policy, Episode &episode, int step) {
  auto p = torch::softmax(policy->forward(next_batch(step)), 1); // expected-path {{the graph starts here}}
  episode.log_probs.push_back(p.select(1, 0).log()); // expected-note {{'log_probs' (a member) still carries its graph}} [tensor-retained-activation]
}

static void learn(Episode &episode, torch::optim::SGD &optimizer) {
  optimizer.zero_grad();
  torch::cat(episode.log_probs).sum().backward();
  optimizer.step();
}

void reinforce(torch::nn::Linear policy, torch::optim::SGD &optimizer) {
  Episode episode;
  for (int i = 0; i < 100; ++i) {
    for (int step = 0; step < 10; ++step)
      act(policy, episode, step); // expected-path {{}}
    learn(episode, optimizer);
  }
}

// Not so: it begins with an empty list each time.
struct Cleared {
  std::vector<Tensor> log_probs;
};

static void act(torch::nn::Linear policy, Cleared &episode, int step) {
  auto p = torch::softmax(policy->forward(next_batch(step)), 1);
  episode.log_probs.push_back(p.select(1, 0).log());
}

static void learn(Cleared &episode, torch::optim::SGD &optimizer) {
  optimizer.zero_grad();
  torch::cat(episode.log_probs).sum().backward();
  optimizer.step();
  episode.log_probs.clear();
}

void cleared(torch::nn::Linear policy, torch::optim::SGD &optimizer) {
  Cleared episode;
  for (int i = 0; i < 100; ++i) {
    for (int step = 0; step < 10; ++step)
      act(policy, episode, step);
    learn(episode, optimizer);
  }
}
