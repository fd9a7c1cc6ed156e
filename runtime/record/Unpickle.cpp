//===-- Unpickle.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/Unpickle.h"

#include <cstring>
#include <stdexcept>

namespace tensorleak {
namespace {

/// The machine that a pickle is a program for. Opcodes as in Python's pickletools.
class PickleMachine {
public:
  explicit PickleMachine(std::string_view Bytes) : Rest(Bytes) {}

  PickleValue::Ref run() {
    for (;;) {
      auto Opcode = static_cast<uint8_t>(number(1));
      if (Opcode == '.')
        return pop();
      if (!frame(Opcode) && !scalar(Opcode) && !text(Opcode) && !container(Opcode) &&
          !filling(Opcode) && !memo(Opcode))
        throw std::runtime_error("it holds Python objects, not plain data");
    }
  }

private:
  //===-- Bytes and the stack ---------------------------------------------===//

  std::string_view take(uint64_t Count) {
    if (Count > Rest.size())
      throw std::runtime_error("it is cut short");
    std::string_view Out = Rest.substr(0, Count);
    Rest.remove_prefix(Count);
    return Out;
  }
  /// Little-endian, at most eight bytes of it.
  uint64_t number(uint64_t Count) {
    uint64_t Out = 0;
    unsigned Shift = 0;
    for (char Byte : take(Count))
      if (Shift < 64) {
        Out |= uint64_t(uint8_t(Byte)) << Shift;
        Shift += 8;
      }
    return Out;
  }
  template <typename T> bool push(T Value) {
    Stack.push_back(std::make_shared<PickleValue>(PickleValue{std::move(Value)}));
    return true;
  }
  PickleValue::Ref pop() {
    if (Stack.empty())
      throw std::runtime_error("it takes more than it has");
    PickleValue::Ref Out = std::move(Stack.back());
    Stack.pop_back();
    return Out;
  }
  PickleValue::Ref &top() {
    if (Stack.empty())
      throw std::runtime_error("it takes more than it has");
    return Stack.back();
  }
  PickleValue::List takeLast(size_t Count) {
    if (Count > Stack.size())
      throw std::runtime_error("it takes more than it has");
    auto First = Stack.end() - static_cast<std::ptrdiff_t>(Count);
    PickleValue::List Out(std::make_move_iterator(First), std::make_move_iterator(Stack.end()));
    Stack.erase(First, Stack.end());
    return Out;
  }
  PickleValue::List takeToMark() {
    if (Marks.empty() || Marks.back() > Stack.size())
      throw std::runtime_error("it takes more than it has");
    size_t Mark = Marks.back();
    Marks.pop_back();
    return takeLast(Stack.size() - Mark);
  }

  //===-- Opcodes by what they do; each returns whether it was its own --===//

  bool frame(uint8_t Opcode) {
    switch (Opcode) {
    case 0x80: // PROTO
      return number(1), true;
    case 0x95: // FRAME
      return number(8), true;
    default:
      return false;
    }
  }
  bool scalar(uint8_t Opcode) {
    switch (Opcode) {
    case 'N':
      return push(std::monostate());
    case 0x88:
      return push(true);
    case 0x89:
      return push(false);
    case 'J':
      return push(int64_t(int32_t(number(4))));
    case 'K':
      return push(int64_t(number(1)));
    case 'M':
      return push(int64_t(number(2)));
    case 0x8a: // LONG1
      return push(longNumber(number(1)));
    case 'G':
      return push(bigEndianDouble(take(8)));
    default:
      return false;
    }
  }
  bool text(uint8_t Opcode) {
    switch (Opcode) {
    case 'X': // BINUNICODE
    case 'B': // BINBYTES
      return push(std::string(take(number(4))));
    case 0x8c: // SHORT_BINUNICODE
    case 'C':  // SHORT_BINBYTES
      return push(std::string(take(number(1))));
    case 0x8d: // BINUNICODE8
      return push(std::string(take(number(8))));
    default:
      return false;
    }
  }
  bool container(uint8_t Opcode) {
    switch (Opcode) {
    case '(':
      return Marks.push_back(Stack.size()), true;
    case '}':
      return push(PickleValue::Dictionary());
    case ']':
    case ')':
      return push(PickleValue::List());
    case 0x85: // TUPLE1 to TUPLE3
    case 0x86:
    case 0x87:
      return push(takeLast(Opcode - 0x84u));
    case 't':
      return push(takeToMark());
    default:
      return false;
    }
  }
  bool filling(uint8_t Opcode) {
    switch (Opcode) {
    case 'a':
      return append(takeLast(1));
    case 'e':
      return append(takeToMark());
    case 's':
      return setItems(takeLast(2));
    case 'u':
      return setItems(takeToMark());
    default:
      return false;
    }
  }
  bool memo(uint8_t Opcode) {
    switch (Opcode) {
    case 'q': // BINPUT
      return Memo[number(1)] = top(), true;
    case 'r': // LONG_BINPUT
      return Memo[number(4)] = top(), true;
    case 0x94: // MEMOIZE
      return Memo[Memo.size()] = top(), true;
    case 'h': // BINGET
      return recall(number(1));
    case 'j': // LONG_BINGET
      return recall(number(4));
    default:
      return false;
    }
  }

  bool append(PickleValue::List Elements) {
    auto *List = std::get_if<PickleValue::List>(&top()->Data);
    if (!List)
      throw std::runtime_error("it adds to what is no list");
    List->insert(List->end(), Elements.begin(), Elements.end());
    return true;
  }
  bool setItems(const PickleValue::List &Items) {
    auto *Dictionary = std::get_if<PickleValue::Dictionary>(&top()->Data);
    if (!Dictionary || Items.size() % 2)
      throw std::runtime_error("it sets members of what is no dictionary");
    for (size_t I = 0; I < Items.size(); I += 2)
      (*Dictionary)[Items[I]->text()] = Items[I + 1];
    return true;
  }
  bool recall(uint64_t Number) {
    auto Known = Memo.find(Number);
    if (Known == Memo.end())
      throw std::runtime_error("it names what it has not");
    Stack.push_back(Known->second);
    return true;
  }
  int64_t longNumber(uint64_t Count) {
    if (Count == 0)
      return 0;
    bool Negative = Count <= Rest.size() && (Rest[Count - 1] & 0x80);
    uint64_t Value = number(Count);
    if (Negative && Count < 8)
      Value |= ~uint64_t(0) << (8 * Count);
    return static_cast<int64_t>(Value);
  }
  static double bigEndianDouble(std::string_view Bytes) {
    char Turned[sizeof(double)];
    for (size_t I = 0; I < sizeof Turned; ++I)
      Turned[I] = Bytes[sizeof Turned - 1 - I];
    double Out;
    std::memcpy(&Out, Turned, sizeof Out);
    return Out;
  }

  std::string_view Rest;
  PickleValue::List Stack;
  std::vector<size_t> Marks;
  std::map<uint64_t, PickleValue::Ref> Memo;
};

} // namespace

const PickleValue *PickleValue::get(const std::string &Name) const {
  auto *Members = std::get_if<Dictionary>(&Data);
  auto Found = Members ? Members->find(Name) : Dictionary::const_iterator();
  return Members && Found != Members->end() ? Found->second.get() : nullptr;
}

const PickleValue::List &PickleValue::elements() const {
  static const List None;
  auto *All = std::get_if<List>(&Data);
  return All ? *All : None;
}

int64_t PickleValue::number(int64_t Otherwise) const {
  auto *Number = std::get_if<int64_t>(&Data);
  return Number ? *Number : Otherwise;
}

std::string PickleValue::text() const {
  if (auto *Text = std::get_if<std::string>(&Data))
    return *Text;
  auto *Number = std::get_if<int64_t>(&Data);
  return Number ? std::to_string(*Number) : "";
}

PickleValue::Ref unpickle(std::string_view Bytes) { return PickleMachine(Bytes).run(); }

} // namespace tensorleak
