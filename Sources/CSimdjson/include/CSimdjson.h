#pragma once

#ifdef __cplusplus
extern "C" {
#endif

int activityd_simdjson_placeholder(void);

#ifdef __cplusplus
}
#endif
