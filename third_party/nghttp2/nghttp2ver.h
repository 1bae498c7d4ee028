// The pinned version, which nghttp2's ./configure would write here.
#ifndef NGHTTP2VER_H
#define NGHTTP2VER_H

#define NGHTTP2_VERSION "1.64.0"
#define NGHTTP2_VERSION_NUM 0x014000

#endif  // NGHTTP2VER_H
