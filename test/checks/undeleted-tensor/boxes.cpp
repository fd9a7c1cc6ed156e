// The last use of what stands in a box or a record, as of a variable (row 29).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <memory>
#include <optional>

using torch::Tensor;

static double total(const Tensor &t) { return t.sum().item<double>(); }
static double work() { return total(torch::rand({4096, 4096})); }

void in_an_optional() {
  std::optional<Tensor> table = torch::rand({8192, 4096}); // expected-warning {{'table' keeps 128 MiB}} [tensor-undeleted-tensor]
  total(*table); // expected-path {{the last use of 'table' is here}}
  work(); // expected-path {{more is allocated here}}
}
void in_an_optional_that_is_emptied() {
  std::optional<Tensor> table = torch::rand({8192, 4096});
  total(*table);
  table.reset();
  work();
}
void in_an_optional_of_something_else() {
  std::optional<Tensor> table = torch::rand({8192, 4096});
  total(table.value());
  *table = Tensor();
  work();
}
void behind_a_pointer() {
  auto table = std::make_unique<Tensor>(torch::rand({8192, 4096})); // expected-warning {{'table' keeps 128 MiB}} [tensor-undeleted-tensor]
  total(*table); // expected-path {{the last use of 'table' is here}}
  work(); // expected-path {{more is allocated here}}
}
void behind_a_pointer_that_is_reset() {
  auto table = std::make_unique<Tensor>(torch::rand({8192, 4096}));
  total(*table);
  table.reset();
  work();
}

struct Data {
  Tensor table, labels;
  double sum() const { return total(table); }
};
void in_a_record() {
  Data data{torch::rand({8192, 4096}), Tensor()}; // expected-warning {{'table' keeps 128 MiB}} [tensor-undeleted-tensor]
  total(data.table); // expected-path {{the last use of 'table' is here}}
  work(); // expected-path {{more is allocated here}}
}
double in_a_record_whose_method_reads_it() {
  Data data{torch::rand({8192, 4096}), Tensor()};
  total(data.table);
  work();
  return data.sum();
}
Data in_a_record_that_is_returned() {
  Data data{torch::rand({8192, 4096}), Tensor()};
  total(data.table);
  work();
  return data;
}
