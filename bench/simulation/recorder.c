// Notes which threads a program of `gpuopt assist` visits, and what it loads of the arrays that it is given. The program
// is compiled with -fsanitize-coverage=trace-loads and -finstrument-functions, which call what is here.

#include <stdint.h>
#include <stdlib.h>

#define INTERFACE __attribute__((no_instrument_function, visibility("default")))

enum { most_arrays = 64, most_functions = 4096 };
// A record: a load is the array's number << 48 and the byte, a visit this and the function's number.
static const uint64_t visit_mark = 0xffffull << 48;

static struct {
  uintptr_t begin, end;
} arrays[most_arrays];
static void *functions[most_functions];
static int array_count, function_count;
static uint64_t *records;
static size_t record_count, capacity;

INTERFACE void recorder_add_array(void *begin, uint64_t bytes) {
  if (array_count == most_arrays)
    abort();
  arrays[array_count].begin = (uintptr_t)begin;
  arrays[array_count++].end = (uintptr_t)begin + bytes;
}

INTERFACE void recorder_add_function(void *function) {
  if (function_count == most_functions)
    abort();
  functions[function_count++] = function;
}

INTERFACE uint64_t recorder_count(void) { return record_count; }
INTERFACE uint64_t *recorder_records(void) { return records; }

INTERFACE static void note(uint64_t record) {
  if (record_count == capacity) {
    capacity = capacity ? 2 * capacity : 1 << 16;
    records = realloc(records, capacity * sizeof *records);
    if (!records)
      abort();
  }
  records[record_count++] = record;
}

INTERFACE static void note_load(const void *address) {
  for (int i = 0; i < array_count; ++i)
    if ((uintptr_t)address - arrays[i].begin < arrays[i].end - arrays[i].begin)
      return note((uint64_t)i << 48 | ((uintptr_t)address - arrays[i].begin));
}

INTERFACE void __sanitizer_cov_load1(uint8_t *address) { note_load(address); }
INTERFACE void __sanitizer_cov_load2(uint16_t *address) { note_load(address); }
INTERFACE void __sanitizer_cov_load4(uint32_t *address) { note_load(address); }
INTERFACE void __sanitizer_cov_load8(uint64_t *address) { note_load(address); }
INTERFACE void __sanitizer_cov_load16(__uint128_t *address) { note_load(address); }

INTERFACE void __cyg_profile_func_enter(void *function, void *caller) {
  (void)caller;
  for (int i = 0; i < function_count; ++i)
    if (functions[i] == function)
      return note(visit_mark | (uint64_t)i);
}
INTERFACE void __cyg_profile_func_exit(void *function, void *caller) {
  (void)function;
  (void)caller;
}
