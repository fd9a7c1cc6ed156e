//===-- AttachChannel.h - How tool and probe agree on a running program ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool calls AttachFunction(path of a configuration) in the program. The probe connects
// to the configuration's socket and says, a character each, what it does. Any character that
// the tool sends, or the end of the connection, tells it to leave.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_ATTACHCHANNEL_H
#define TENSORLEAK_RUNTIME_TRACE_ATTACHCHANNEL_H

namespace tensorleak::trace {

constexpr const char *AttachFunction = "tensorleak_probe_attach";

enum class AttachResult : int { Begun = 0, Busy = 1, NoConfig = 2, NoSocket = 3, NoThread = 4 };

constexpr char AttachWatching = 'w'; ///< from now on allocations are recorded
constexpr char AttachNoTrace = 'n';  ///< the trace could not be written
constexpr char AttachLeft = 'l';     ///< the program is as it was

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_ATTACHCHANNEL_H
