#include "CSimdjson.h"

#include <simdjson.h>

extern "C" int activityd_simdjson_placeholder(void) {
  simdjson::ondemand::parser parser;
  return (int)simdjson::SIMDJSON_PADDING;
}
