#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's, which has no header of its own: takes the options of the command line, and calls
/// `fuzz` with one input after the other. The compiler brings it along with -sanitize=fuzzer.
int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*fuzz)(const uint8_t *bytes, size_t count));
