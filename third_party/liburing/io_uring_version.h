// The pinned version, which liburing's ./configure would write here.
#ifndef LIBURING_VERSION_H
#define LIBURING_VERSION_H

#define IO_URING_VERSION_MAJOR 2
#define IO_URING_VERSION_MINOR 9

#endif  // LIBURING_VERSION_H
