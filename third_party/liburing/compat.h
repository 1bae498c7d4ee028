// What liburing's ./configure would write on Debian 12: its kernel headers have
// all of these.
#ifndef LIBURING_COMPAT_H
#define LIBURING_COMPAT_H

#include <linux/ioctl.h>
#include <linux/openat2.h>
#include <linux/time_types.h>

// Tells liburing's copy of linux/io_uring.h that the time types are known.
#define UAPI_LINUX_IO_URING_H_SKIP_LINUX_TIME_TYPES_H 1

// Newer than Debian 12's kernel headers; the number is the kernel's ABI.
#ifndef BLOCK_URING_CMD_DISCARD
#define BLOCK_URING_CMD_DISCARD _IO(0x12, 0)
#endif

#endif  // LIBURING_COMPAT_H
