// simdjson finds the tokens, checks UTF-8 and unescapes strings. The grammar is judged here, token
// by token: simdjson's own walk skips what nobody asks for, and its numbers lose their spelling.
// (The token level of its on-demand interface has been the same from 3.0 to 4.)
#define SIMDJSON_EXCEPTIONS 0
#include "CSimdjson.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace simdjson;

struct json_parser {
  const uint32_t depth_max;
  ondemand::parser tokenizer;
  std::vector<uint8_t> bytes;  // the line, then what had to be rewritten: `used` of them
  uint32_t used = 0;
  std::vector<json_member> members;

  explicit json_parser(uint32_t depth_max) : depth_max(depth_max) {}
  void reserve(size_t length);
  json_scan scan(json_range source, bool is_line);
};

namespace {

bool is_space(uint8_t byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/// Whether there was a digit at `at`; moves it behind the last one.
bool take_digits(const uint8_t *&at, const uint8_t *end) {
  const uint8_t *const first = at;
  while (at < end && *at >= '0' && *at <= '9') at++;
  return at > first;
}

bool is_number(const uint8_t *at, const uint8_t *end) {
  if (at < end && *at == '-') at++;
  if (at < end && *at == '0') at++;
  else if (!take_digits(at, end)) return false;
  if (at < end && *at == '.' && !take_digits(++at, end)) return false;
  if (at < end && (*at == 'e' || *at == 'E')) {
    if (++at < end && (*at == '+' || *at == '-')) at++;
    if (!take_digits(at, end)) return false;
  }
  return at == end;
}

/// One walk over the tokens of one source.
class walk {
 public:
  walk(json_parser &parser, json_range source, bool is_line)
      : parser(parser), source(source), is_line(is_line) {}

  /// Lets simdjson find the tokens. The outermost value must be an object or an array.
  bool begin() {
    const uint8_t *const start = parser.bytes.data() + source.offset;
    const padded_string_view view(start, source.length, parser.bytes.size() - source.offset);
    const error_code error = parser.tokenizer.iterate_raw(view).get(tokens);
    if (error == UTF8_ERROR) return fail(json_not_utf8, start);
    if (error == UNCLOSED_STRING) return fail(json_unclosed, start + source.length);
    if (error == UNESCAPED_CHARS) return fail(json_control_character, start);
    if (error) return fail(json_malformed, start);
    return take() == '{' || *token == '[' || fail(json_not_object, token);
  }

  /// Delivers the members of the outermost value. Nothing may follow it, and that of a line must
  /// be an object after all.
  bool members() {
    const uint8_t *const start = token;
    const char close = *start == '{' ? '}' : ']';
    const bool is_good = container(close, 1, [&] {
      json_member member{};
      if (close == '}' && !key(&member.key)) return false;
      const uint32_t spaces_before = spaces;
      if (!value(1, member, &member.text)) return false;
      const bool has_spaces = spaces - spaces_before != spaces_behind;
      if (is_line && has_spaces && member.kind >= json_array && !compact(member.value)) {
        return false;
      }
      parser.members.push_back(member);
      return true;
    });
    if (!is_good) return false;
    if (!tokens.at_end()) return fail(json_malformed, tokens.peek());
    return close == '}' || !is_line || fail(json_not_object, start);
  }

  uint32_t status = json_ok;
  uint32_t failure_offset = 0;

 private:
  json_parser &parser;
  const json_range source;
  const bool is_line;  // else it is a member, and compact already
  ondemand::json_iterator tokens;
  const uint8_t *token = nullptr;      // the one taken last
  const uint8_t *token_end = nullptr;  // behind it, without white space
  uint32_t spaces = 0;                 // of white space behind all tokens so far, in bytes
  uint32_t spaces_behind = 0;          // behind the last of them

  bool fail(uint32_t reason, const uint8_t *at) {
    status = reason;
    failure_offset = uint32_t(at - parser.bytes.data()) - source.offset;
    return false;
  }

  /// Takes the next token; at the end of the source that is a blank, which fits nowhere.
  uint8_t take() {
    static const uint8_t blank = ' ';
    if (tokens.at_end()) {
      fail(json_unclosed, parser.bytes.data() + source.offset + source.length);
      token = &blank;
      token_end = token + 1;
      return blank;
    }
    const uint32_t length = tokens.peek_length();
    token = tokens.return_current_and_advance();
    token_end = token + length;
    while (is_space(token_end[-1])) token_end--;
    spaces_behind = uint32_t(token + length - token_end);
    spaces += spaces_behind;
    return *token;
  }

  /// Refuses the token taken last, unless it is the blank, for which the reason is told already.
  bool unexpected() { return status != json_ok ? false : fail(json_malformed, token); }

  template <class Item>
  bool container(char close, uint32_t depth, Item item) {
    if (depth > parser.depth_max) return fail(json_too_deep, token);
    if (!tokens.at_end() && *tokens.peek() == close) return take() == close;
    do {
      if (!item()) return false;
    } while (take() == ',');
    return *token == close || unexpected();
  }

  bool opaque_container(char close, uint32_t depth) {
    json_member ignored;
    return container(close, depth, [&] {
      return (close == ']' || key(nullptr)) && value(depth, ignored, nullptr);
    });
  }

  /// The next value, in an array or object of this depth. `text` is null if nobody wants it.
  bool value(uint32_t depth, json_member &member, json_range *text) {
    const uint8_t first = take();
    const uint8_t *const start = token;
    const bool is_good = judge(first, depth, member.kind, text);
    if (is_good) member.value = range(start, token_end);
    return is_good;
  }

  bool judge(uint8_t first, uint32_t depth, uint8_t &kind, json_range *text) {
    switch (first) {
      case '{': kind = json_object; return opaque_container('}', depth + 1);
      case '[': kind = json_array; return opaque_container(']', depth + 1);
      case '"': kind = json_string; return string(text);
      case 'n': kind = json_null; return is("null") || unexpected();
      case 'f': kind = json_false; return is("false") || unexpected();
      case 't': kind = json_true; return is("true") || unexpected();
      default: kind = json_number; return is_number(token, token_end) || unexpected();
    }
  }

  bool is(std::string_view word) const {
    return word == std::string_view(reinterpret_cast<const char *>(token), token_end - token);
  }

  bool key(json_range *text) {
    return (take() == '"' || unexpected()) && string(text) && (take() == ':' || unexpected());
  }

  /// The string taken last. Without escapes its content lies in the source already.
  bool string(json_range *text) {
    std::string_view content;
    if (tokens.unescape(ondemand::raw_json_string(token + 1)).get(content)) return unexpected();
    if (text == nullptr) return true;
    *text = range(token + 1, token_end - 1);
    if (content.size() == text->length) return true;
    *text = {parser.used, uint32_t(content.size())};
    memcpy(parser.bytes.data() + parser.used, content.data(), content.size());
    parser.used += text->length;
    return true;
  }

  json_range range(const uint8_t *start, const uint8_t *end) const {
    return {uint32_t(start - parser.bytes.data()), uint32_t(end - start)};
  }

  /// Copies an array or object, less white space between tokens.
  bool compact(json_range &value) {
    char *const bytes = reinterpret_cast<char *>(parser.bytes.data());
    size_t length = 0;
    if (minify(bytes + value.offset, value.length, bytes + parser.used, length)) return false;
    value = {parser.used, uint32_t(length)};
    parser.used += value.length;
    return true;
  }
};

}  // namespace

/// Makes room for a source of this length and all that is rewritten of it: its containers at most
/// once, its strings at most once.
void json_parser::reserve(size_t length) {
  const size_t needed = used + 3 * length + SIMDJSON_PADDING;
  if (bytes.size() < needed) bytes.resize(std::max(needed, 2 * bytes.size()));
  if (tokenizer.capacity() > length) return;
  if (tokenizer.allocate(std::max(length + 1, 2 * tokenizer.capacity()), depth_max)) std::abort();
}

json_scan json_parser::scan(json_range source, bool is_line) {
  const uint32_t first = uint32_t(members.size());
  walk walk(*this, source, is_line);
  if (walk.begin()) walk.members();
  return {walk.status, walk.failure_offset, first, uint32_t(members.size()) - first};
}

json_parser *json_parser_create(uint32_t depth_max) { return new json_parser(depth_max); }

void json_parser_destroy(json_parser *parser) { delete parser; }

json_scan json_parser_scan_line(json_parser *parser, const uint8_t *bytes, uint32_t length) {
  parser->members.clear();
  parser->used = 0;
  parser->reserve(length);
  if (length > 0) memcpy(parser->bytes.data(), bytes, length);
  parser->used = length;
  return parser->scan({0, length}, true);
}

json_scan json_parser_scan_member(json_parser *parser, uint32_t index) {
  const json_range source = parser->members[index].value;
  parser->reserve(source.length);
  return parser->scan(source, false);
}

const uint8_t *json_parser_bytes(const json_parser *parser) { return parser->bytes.data(); }

const json_member *json_parser_member(const json_parser *parser, uint32_t index) {
  return index < parser->members.size() ? &parser->members[index] : nullptr;
}
