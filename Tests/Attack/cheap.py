"""A library that makes a guess at a passcode cost as little as libsodium allows."""

import os
import shutil
import subprocess

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

typedef int hash(unsigned char *, unsigned long long, const char *, unsigned long long, const unsigned char *,
                 unsigned long long, size_t, int);

int crypto_pwhash_argon2id(unsigned char *out, unsigned long long size, const char *secret,
                           unsigned long long length, const unsigned char *salt, unsigned long long passes,
                           size_t memory, int algorithm) {
  (void)passes;
  (void)memory;
  hash *real = (hash *)dlsym(RTLD_NEXT, "crypto_pwhash_argon2id");
  return real(out, size, secret, length, salt, 1, 8192, algorithm);
}
"""


def library(directory):
    """Its path, for LD_PRELOAD; None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        return None
    path = os.path.join(directory, "cheap.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", path], input=SOURCE, text=True, check=True)
    return path
