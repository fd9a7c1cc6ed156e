//===-- Pickle.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/Pickle.h"

#include <stdexcept>

namespace tensorleak {
namespace {

/// The opcodes, named as in Python's pickletools.
enum Opcode : char {
  MARK = '(',
  STOP = '.',
  BININT = 'J',
  NONE = 'N',
  BINUNICODE = 'X',
  EMPTY_LIST = ']',
  APPENDS = 'e',
  LONG_BINGET = 'j',
  SETITEMS = 'u',
  EMPTY_DICT = '}',
  PROTO = '\x80',
  NEWTRUE = '\x88',
  NEWFALSE = '\x89',
  LONG1 = '\x8a',
  MEMOIZE = '\x94',
};
constexpr char Protocol = 4;

/// Readers take the elements of a batch on a stack, or as arguments of a call.
constexpr unsigned BatchSize = 1000;

} // namespace

Pickle::Pickle() { Out = {PROTO, Protocol}; }

static void putDictionary(Pickle &Out, const nlohmann::json &Value) {
  Out.beginDictionary();
  for (const auto &[Name, Member] : Value.items()) {
    Out.key(Name);
    Out.put(Member);
  }
  Out.endDictionary();
}

static void putList(Pickle &Out, const nlohmann::json &Value) {
  Out.beginList();
  for (const nlohmann::json &Element : Value) {
    Out.element();
    Out.put(Element);
  }
  Out.endList();
}

void Pickle::put(const nlohmann::json &Value) {
  if (Value.is_object()) {
    putDictionary(*this, Value);
  } else if (Value.is_array()) {
    putList(*this, Value);
  } else if (Value.is_string()) {
    putText(Value);
  } else if (Value.is_boolean()) {
    Out += Value.get<bool>() ? NEWTRUE : NEWFALSE;
  } else if (Value.is_number_integer()) {
    putNumber(Value);
  } else if (Value.is_null()) {
    Out += NONE;
  } else {
    throw std::logic_error("no pickle for this kind of value");
  }
}

Pickle::Shared Pickle::share(const nlohmann::json &Value) {
  put(Value);
  Out += MEMOIZE;
  return SharedCount++;
}

void Pickle::putShared(Shared Number) {
  Out += LONG_BINGET;
  putBytes(Number, 4);
}

void Pickle::beginDictionary() { (Out += EMPTY_DICT) += MARK; }

void Pickle::endDictionary() { Out += SETITEMS; }

void Pickle::beginList() {
  (Out += EMPTY_LIST) += MARK;
  Pending.push_back(0);
}

void Pickle::element() {
  if (++Pending.back() <= BatchSize)
    return;
  (Out += APPENDS) += MARK;
  Pending.back() = 1;
}

void Pickle::endList() {
  Out += APPENDS;
  Pending.pop_back();
}

std::string Pickle::finish() { return std::move(Out += STOP); }

void Pickle::putText(const std::string &Text) {
  Out += BINUNICODE;
  putBytes(Text.size(), 4);
  Out += Text;
}

void Pickle::putNumber(int64_t Number) {
  bool Short = Number == static_cast<int32_t>(Number);
  Out += Short ? BININT : LONG1;
  if (!Short)
    Out += char(sizeof Number);
  putBytes(static_cast<uint64_t>(Number), Short ? 4 : 8);
}

void Pickle::putBytes(uint64_t Value, unsigned Count) {
  for (unsigned I = 0; I < Count; ++I)
    Out += static_cast<char>(Value >> (8 * I));
}

} // namespace tensorleak
