/* What a file of C lacks is declared in C++, and the file read as that: fewer functions are lost to
   what C++ does not allow.

   RUN: not %tensorleak check --stats --no-cache --cuda-path none --level note %s -- -x c >%t.txt 2>%t.err
   RUN: FileCheck %s --input-file=%t.txt
   RUN: FileCheck %s --input-file=%t.err --check-prefix=SAYS
   RUN: %tensorleak check --stats --no-cache --cuda-path none --level note %s -- -std=c++17 -DWHOLE 2>&1 | FileCheck %s --check-prefix=WHOLE

   SAYS: incomplete: {{.*}}stand-ins.c:[[#@LINE+8]]: 'postgres.h' file not found
   SAYS: 5 functions analysed, 0 findings silenced by NOLINT, 1 file parsed in part, 4 parses in all
   WHOLE: 1 function analysed, 0 findings silenced by NOLINT, 0 files parsed in part, 1 parse in all
 */
#include <cuda_runtime.h>
#include <stdlib.h>

#ifndef WHOLE
#include "postgres.h"

/* CHECK: stand-ins.c:[[#@LINE+6]]:{{.*}}note: device memory in 'rows' is not given back before 'loads'
   CHECK-NOT: {{warning|note}}: */
float loads(Relation relation, Size count) {
  float first, *rows;
  if (!RelationIsValid(relation))
    return 0;
  cudaMalloc((void **)&rows, count * sizeof(float));
  cudaMemcpy(&first, rows, sizeof first, cudaMemcpyDeviceToHost);
  return first;
}

/* Near miss: it is given back. */
float reads(Relation relation, Size count) {
  float first, *rows;
  cudaMalloc((void **)&rows, count * sizeof(float));
  cudaMemcpy(&first, rows, sizeof first, cudaMemcpyDeviceToHost);
  cudaFree(rows);
  return first + relation->bias;
}

/* Near miss: what is not known may keep it. */
void keeps(Relation relation, Size count) {
  float *rows;
  cudaMalloc((void **)&rows, count * sizeof(float));
  RelationKeep(relation, rows);
}

Size sizeOf(Relation relation) { return relation->size; }

/* C++ has no such conversion. */
char **names(Size count) {
  char **all = malloc(count * sizeof(char *));
  return all;
}
#else
/* A file of C that lacks nothing is one of C, whatever flags are given to all files. */
char **names(int count) {
  char **class = malloc(count * sizeof(char *));
  return class;
}
#endif
