// The C++ library's containers and functions with tensors, and the C heap, one a line: what the
// model says of each, and the facts that follow.
//
// REQUIRES: torch
// RUN: %check_facts %s
#include <array>
#include <cstdlib>
#include <deque>
#include <future>
#include <functional>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <torch/torch.h>
#include <variant>

using torch::Tensor;

//===-- std::container ----------------------------------------------------===//

void growing(std::vector<Tensor> list, std::deque<Tensor> both, std::queue<Tensor> line, Tensor x) {
  list.push_back(x); // FACTS: call push_back: Grow; Grow list := {x}; resource EscapeTree x
  list.emplace_back(x); // FACTS: call emplace_back: Grow; Grow list := {x}; resource EscapeTree x
  both.push_front(x); // FACTS: call push_front: Grow; Grow both := {x}; resource EscapeTree x
  both.emplace_front(x); // FACTS: call emplace_front: Grow; Grow both := {x}; resource EscapeTree x
  line.push(x); // FACTS: call push: Grow; Grow line := {x}; resource EscapeTree x
  line.emplace(x); // FACTS: call emplace: Grow; Grow line := {x}; resource EscapeTree x
  list.insert(list.begin(), x); // FACTS: call insert: Grow; call begin: Element; Grow list := {{list}, x}; resource EscapeTree list; resource Escape list[]; resource EscapeTree list[]; resource EscapeTree x
}

void growing_by_key(std::map<int, Tensor> table, c10::List<Tensor> handle, Tensor x, int key) {
  table.insert_or_assign(key, x); // FACTS: call insert_or_assign: GrowKeyed; Grow table := {x}, keyed, key varies; resource EscapeTree x
  table.try_emplace(0, x); // FACTS: call try_emplace: GrowKeyed; StoreWeak table[0] := x; resource EscapeTree x
  handle.append(handle); // FACTS: call append: Grow; Grow handle := {handle}; resource EscapeTree handle
}

//===-- std::container ----------------------------------------------------===//

void shrinking(std::vector<Tensor> list, std::deque<Tensor> both, std::queue<Tensor> line,
               std::list<Tensor> chain, std::map<int, Tensor> table, std::optional<Tensor> one,
               std::list<std::shared_ptr<Tensor>> shared, std::array<Tensor, 2> two, Tensor x) {
  list.clear(); // FACTS: call clear: Shrink; Shrink list
  list.pop_back(); // FACTS: call pop_back: Shrink; Shrink list
  both.pop_front(); // FACTS: call pop_front: Shrink; Shrink both
  line.pop(); // FACTS: call pop: Shrink; Shrink line
  list.erase(list.begin()); // FACTS: call erase: Shrink; call begin: Element; Shrink list; StoreWeak list := {list}; resource EscapeTree list; resource Escape list[]; resource EscapeTree list[]
  list.resize(0); // FACTS: call resize: Shrink; Shrink list
  list.assign(1, x); // FACTS: call assign: Shrink; Shrink list; StoreWeak list := x; resource EscapeTree x
  list.swap(list); // FACTS: call swap: Shrink; Shrink list; StoreWeak list := list; resource EscapeTree list; resource EscapeTree list
  list.shrink_to_fit(); // FACTS: call shrink_to_fit: Shrink; Shrink list
  table.extract(0); // FACTS: call extract: Shrink; Shrink table
  shared.remove(nullptr); // FACTS: call remove: Shrink; Shrink shared
  chain.remove_if([](const Tensor &) { return true; }); // FACTS: resource Return; call remove_if: Shrink; UserCall with ?, in operator(); Shrink chain
  one.reset(); // FACTS: call reset: Shrink; Drop one
  chain.splice(chain.begin(), chain); // FACTS: call splice: Shrink; call begin: Element; Shrink chain; StoreWeak chain := {chain}; StoreWeak chain := chain
  two.fill(x); // FACTS: call fill: Shrink; Shrink two; StoreWeak two := x
}

//===-- std::container ----------------------------------------------------===//

void elements(std::vector<Tensor> list, std::priority_queue<Tensor> heap,
              std::map<int, Tensor> table, std::optional<Tensor> one, std::unique_ptr<Tensor> owned,
              std::future<Tensor> &later, Tensor x, torch::OrderedDict<std::string, Tensor> named,
              std::queue<Tensor> line, std::weak_ptr<Tensor> watched,
              std::variant<int, Tensor> either) {
  list[0]; // FACTS: call operator[]: Element
  list.at(0); // FACTS: call at: Element
  line.front(); // FACTS: call front: Element
  list.back(); // FACTS: call back: Element
  list.begin(); // FACTS: call begin: Element
  list.end(); // FACTS: call end: Element
  list.cbegin(); // FACTS: call cbegin: Element
  list.cend(); // FACTS: call cend: Element
  list.rbegin(); // FACTS: call rbegin: Element
  list.rend(); // FACTS: call rend: Element
  list.data(); // FACTS: call data: Element
  heap.top(); // FACTS: call top: Element
  table.find(0); // FACTS: call find: Element
  table.lower_bound(0); // FACTS: call lower_bound: Element
  one.value(); // FACTS: call value: Element
  one.value_or(x); // FACTS: call value_or: Element; resource EscapeTree x
  *one; // FACTS: call operator*: Element
  owned->sum(); // FACTS: call sum: Compute, shape Reduce; call operator->: Element; Compute sum(owned)
  owned.release(); // FACTS: call release: Release; Compute release(owned); resource Escape owned; resource Acquire := Object
  owned.get(); // FACTS: call get: Element
  later.get(); // FACTS: call get: Element
  later.share(); // FACTS: call share: Element
  watched.lock(); // FACTS: call lock: Element
  later.wait(); // FACTS: call wait: Nothing
  later.wait_for(std::chrono::seconds(1)); // FACTS: call wait_for: Nothing
  later.wait_until(std::chrono::steady_clock::now()); // FACTS: call wait_until: Nothing; call now: not in the model
  later.valid(); // FACTS: call valid: Nothing
  either.emplace<Tensor>(x); // FACTS: call emplace: Grow; Store either := x; resource EscapeTree x
  named.values(); // FACTS: call values: Element
  named.begin()->pair(); // FACTS: call pair: Element; call operator->: Element; call begin: Element
  named.begin()->key(); // FACTS: call key: NameOf; call operator->: Element; call begin: Element
}

//===-- std::container ----------------------------------------------------===//

void references(c10::TensorImpl *raw) {
  using Pointer = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  Pointer::reclaim_copy(raw); // FACTS: call reclaim_copy: View; Compute reclaim_copy(raw)
  Pointer::unsafe_reclaim_from_nonowning(raw); // FACTS: call unsafe_reclaim_from_nonowning: View; Compute unsafe_reclaim_from_nonowning(raw)
}

void looking(std::vector<Tensor> list, std::vector<Tensor> other, std::map<int, Tensor> table,
             std::optional<Tensor> one, torch::OrderedDict<std::string, Tensor> named) {
  list.size(); // FACTS: call size: Nothing ZeroIfEmpty
  list.empty(); // FACTS: call empty: Nothing TrueIfEmpty
  list.capacity(); // FACTS: call capacity: Nothing
  list.reserve(8); // FACTS: call reserve: Nothing
  table.count(0); // FACTS: call count: Nothing
  list.max_size(); // FACTS: call max_size: Nothing
  named.contains("weight"); // FACTS: call contains: Nothing
  one.has_value(); // FACTS: call has_value: Nothing ZeroIfEmpty
  list.begin() == list.end(); // FACTS: call operator==: Nothing; call begin: Element; call end: Element
}

//===-- std ---------------------------------------------------------------===//

void functions(Tensor x, Tensor y, std::vector<Tensor> list, std::tuple<Tensor, Tensor> both) {
  std::move(x); // FACTS: call move: Forward1
  std::forward<Tensor>(x); // FACTS: call forward: Forward1
  std::get<1>(both); // FACTS: call get: Forward1; resource EscapeTree both
  std::tie(x, y); // FACTS: call tie: Forward1; resource EscapeTree x; resource EscapeTree y
  std::make_tuple(x, y); // FACTS: call make_tuple: Forward1; resource EscapeTree x; resource EscapeTree y
  std::make_pair(x, y); // FACTS: call make_pair: Forward1; resource EscapeTree x; resource EscapeTree y
  std::forward_as_tuple(x, y); // FACTS: call forward_as_tuple: Forward1; resource EscapeTree x; resource EscapeTree y
  std::ref(x); // FACTS: call ref: Forward1; resource EscapeTree x
  std::cref(x); // FACTS: call cref: Forward1
  std::as_const(x); // FACTS: call as_const: Forward1
  std::addressof(x); // FACTS: call addressof: Forward1; resource EscapeTree x
  auto module = std::make_shared<torch::nn::Module>();
  std::static_pointer_cast<torch::nn::Module>(module); // FACTS: call static_pointer_cast: Forward1
  std::dynamic_pointer_cast<torch::nn::Module>(module); // FACTS: call dynamic_pointer_cast: Forward1
  std::const_pointer_cast<torch::nn::Module>(module); // FACTS: call const_pointer_cast: Forward1
  std::swap(x, y); // FACTS: call swap: Shrink; Store x := y; StoreWeak y := ?(); resource EscapeTree x; resource EscapeTree y
  std::exchange(x, y); // FACTS: call exchange: Shrink; Store x := y; resource EscapeTree x; resource EscapeTree y
  std::make_move_iterator(list.begin()); // FACTS: call make_move_iterator: Forward1; call begin: Element; resource Escape list[]; resource EscapeTree list[]
  std::back_inserter(list); // FACTS: call back_inserter: Forward1; resource EscapeTree list
  std::front_inserter(list); // FACTS: call front_inserter: Forward1; resource EscapeTree list
  std::inserter(list, list.begin()); // FACTS: call inserter: Forward1; call begin: Element; resource EscapeTree list; resource Escape list[]; resource EscapeTree list[]
  std::reduce(list.begin(), list.end(), x); // FACTS: call reduce: Compute; call begin: Element; call end: Element; Compute reduce(list, list, x); resource Escape list[]; resource EscapeTree list[]; resource Escape list[]; resource EscapeTree list[]
  std::inner_product(list.begin(), list.end(), list.begin(), x); // FACTS: call inner_product: Compute; call begin: Element; call end: Element; call begin: Element; Compute inner_product(list, list, list, x); resource Escape list[]; resource EscapeTree list[]; resource Escape list[]; resource EscapeTree list[]; resource Escape list[]; resource EscapeTree list[]
  std::transform_reduce(list.begin(), list.end(), list.begin(), x); // FACTS: call transform_reduce: Compute; call begin: Element; call end: Element; call begin: Element; Compute transform_reduce(list, list, list, x); resource Escape list[]; resource EscapeTree list[]; resource Escape list[]; resource EscapeTree list[]; resource Escape list[]; resource EscapeTree list[]
  std::accumulate(list.begin(), list.end(), x); // FACTS: call accumulate: Compute; call begin: Element; call end: Element; Compute accumulate(list, list, x); resource Escape list[]; resource EscapeTree list[]; resource Escape list[]; resource EscapeTree list[]
}

//===-- std::enable_shared_from_this --------------------------------------===//

void itself(std::shared_ptr<torch::nn::Module> module) {
  module->shared_from_this(); // FACTS: call shared_from_this: Element; call operator->: Element
}

//===-- The C heap --------------------------------------------------------===//

void heap(void *memory, size_t size) {
  malloc(size); // FACTS: call malloc: HostAlloc; Result Heap (host memory, free, memory, on the host), size 0; Compute malloc(); resource Acquire := Heap
  calloc(1, size); // FACTS: call calloc: HostAlloc; Result Heap (host memory, free, memory, on the host), size 01; Compute calloc(); resource Acquire := Heap
  realloc(memory, size); // FACTS: call realloc: HostAlloc; Result Heap (host memory, free, memory, on the host), size 1; Free Heap, argument 0; Compute realloc(); resource Release memory; resource Acquire := Heap
  aligned_alloc(64, size); // FACTS: call aligned_alloc: HostAlloc; Result Heap (host memory, free, memory, on the host), size 1; Compute aligned_alloc(); resource Acquire := Heap
  posix_memalign(&memory, 64, size); // FACTS: call posix_memalign: HostAlloc OutParam; Out Heap (host memory, free, memory, on the host), argument 0, size 2; Compute posix_memalign(); Store memory := posix_memalign(); resource Acquire memory := Heap
  free(memory); // FACTS: call free: HostFree; Free Heap, argument 0; Free memory; resource Release memory
}
