/*===-- tensorleak.h - What a program can tell the verifier ----------------===*\
|*
|* Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* For C and C++, LibTorch or raw CUDA. There is nothing to link: the functions
|* look for the probe through weak symbols, and where it is absent, as in every
|* run without `tensorleak run`, a call is a load, a test and nothing else.
|*
|*   tensorleak_step();                    one round of the program's loop is done
|*   tensorleak_expect_retained(tensor);   this memory may stay alive: it is no leak
|*   tensorleak_expect_retained(pointer);  the same for the start of an allocation
|*
|* docs/running.md ("What a program can say itself") has the meaning.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORLEAK_TENSORLEAK_H
#define TENSORLEAK_TENSORLEAK_H

#ifdef __cplusplus
#define TENSORLEAK_INLINE inline
#else
#define TENSORLEAK_INLINE static inline
#endif

/* The address of a weak symbol, or null. Written as a load from the global offset
   table because a compiler that makes code for a fixed address (-no-pie) would let
   the linker settle a plain `&symbol` as null, before the probe is there. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__)
#define TENSORLEAK_WEAK_ADDRESS(SYMBOL, VARIABLE)                                                  \
  __asm__(".weak " SYMBOL "\n\tmovq " SYMBOL "@GOTPCREL(%%rip), %0" : "=r"(VARIABLE))
#else /* no probe runs there */
#define TENSORLEAK_WEAK_ADDRESS(SYMBOL, VARIABLE) ((VARIABLE) = 0)
#endif

/* One round of the loop is done. From the first call on, these are the steps by
   which growth is judged, whatever optimizers do. Any thread may call it. */
TENSORLEAK_INLINE void tensorleak_step(void) {
  void (*Step)(void);
  TENSORLEAK_WEAK_ADDRESS("tensorleak_probe_step", Step);
  if (Step)
    Step();
}

/* The memory that starts here may live as long as it likes. What else the object
   keeps alive, such as the graph of a tensor, is judged as ever. */
TENSORLEAK_INLINE void tensorleak_expect_retained(const void *Memory) {
  void (*Expect)(const void *);
  TENSORLEAK_WEAK_ADDRESS("tensorleak_probe_expect_retained", Expect);
  if (Expect)
    Expect(Memory);
}

#ifdef __cplusplus
/* For a torch::Tensor: its storage, also of a view. */
template <typename Tensor>
inline auto tensorleak_expect_retained(const Tensor &Kept)
    -> decltype(Kept.storage().data(), Kept.defined(), void()) {
  void (*Expect)(const void *);
  TENSORLEAK_WEAK_ADDRESS("tensorleak_probe_expect_retained", Expect);
  if (Expect && Kept.defined())
    Expect(Kept.storage().data());
}
#endif

#undef TENSORLEAK_INLINE

#endif /* TENSORLEAK_TENSORLEAK_H */
