#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A place in the parser's own bytes. Offsets stay right when those bytes move.
typedef struct {
  uint32_t offset;
  uint32_t length;
} json_range;

/// What a value is. The numbers are those of `JSONScanner.Kind`.
enum { json_null, json_false, json_true, json_number, json_string, json_array, json_object };

/// A member of an object, or an element of an array (`key` is empty then).
typedef struct {
  json_range key;    // unescaped
  json_range value;  // the source's bytes less white space between tokens
  json_range text;   // the unescaped content of a string; empty for all else
  uint8_t kind;
} json_member;

/// How a scan went. The numbers are those of `JSONScanner.Failure.Reason`.
enum {
  json_ok,
  json_malformed,
  json_not_utf8,
  json_control_character,
  json_not_object,
  json_too_deep,
  json_unclosed
};

/// The outcome of a scan: members `first ..< first + count`, or where it failed.
typedef struct {
  uint32_t status;
  uint32_t failure_offset;  // of the token at fault, from the start of what was scanned
  uint32_t first;
  uint32_t count;
} json_scan;

/// A reusable parser. It owns the bytes and members of the line it scanned last, is used by one
/// thread at a time, and allocates only for a line longer than all before it. Out of memory ends
/// the process.
typedef struct json_parser json_parser;

json_parser *json_parser_create(uint32_t depth_max);
void json_parser_destroy(json_parser *parser);

/// Forgets the line before and judges this one: one object, every value in it visited.
json_scan json_parser_scan_line(json_parser *parser, const uint8_t *bytes, uint32_t length);

/// Reads on in an array or object among the members; all members so far stay valid.
json_scan json_parser_scan_member(json_parser *parser, uint32_t index);

/// Both are valid until the next scan. There may be no member of that number: null.
const uint8_t *json_parser_bytes(const json_parser *parser);
const json_member *json_parser_member(const json_parser *parser, uint32_t index);

#ifdef __cplusplus
}
#endif
