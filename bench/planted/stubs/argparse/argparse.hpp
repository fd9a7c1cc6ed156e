// Stands in for p-ranav/argparse, as far as dcgan.cpp of pytorch/examples uses it.
#pragma once
#include <ostream>
#include <string>

namespace argparse {
class ArgumentParser {
public:
  explicit ArgumentParser(const std::string &) {}
  ArgumentParser &add_argument(const std::string &) { return *this; }
  ArgumentParser &help(const std::string &) { return *this; }
  template <typename Value> ArgumentParser &default_value(Value) { return *this; }
  template <char Shape, typename Value> ArgumentParser &scan() { return *this; }
  void parse_args(int, const char *const *) {}
  template <typename Value> Value get(const std::string &) const { return Value(1); }
};
inline std::ostream &operator<<(std::ostream &Out, const ArgumentParser &) { return Out; }
} // namespace argparse
