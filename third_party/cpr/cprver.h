// The pinned version, which cpr's CMake build would write here.
#ifndef CPR_CPRVER_H
#define CPR_CPRVER_H

#define CPR_VERSION "1.12.0"
#define CPR_VERSION_MAJOR 1
#define CPR_VERSION_MINOR 12
#define CPR_VERSION_PATCH 0
#define CPR_VERSION_NUM 0x010c00

#endif  // CPR_CPRVER_H
