// The plainest file of sealed chunks there is: a nonce, 16 KiB of ciphertext and a tag each, by pread(2), pwrite(2) and
// AES-256-GCM, in one key's context. What ours has besides, headers that say when it is sealed, a digest over all tags
// and the end that cannot lie, is its own affair.
//
// usage: chunks write FILE MIB       makes the file, durably; prints nanoseconds for 16 KiB and a checksum
//        chunks read FILE MIB        reads it from end to end
//        chunks random FILE COUNT    reads 4 KiB at random places; nanoseconds for one
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"

#define CHUNK 16384
#define PAGE 4096
#define NONCE 12
#define TAG 16
#define WHOLE (NONCE + CHUNK + TAG)

static unsigned char plain[CHUNK], sealed[WHOLE];
static EVP_CIPHER_CTX *cipher;

static void prepare(int seals) {
  unsigned char key[32];
  for (int i = 0; i < 32; i++) key[i] = (unsigned char)i;
  cipher = EVP_CIPHER_CTX_new();
  if (EVP_CipherInit_ex2(cipher, EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL), key, NULL, seals, NULL) != 1)
    fail("OpenSSL");
}

static void write_chunk(int file, uint64_t index) {
  int written;
  if (RAND_bytes(sealed, NONCE) != 1) fail("no random bytes");
  EVP_CipherInit_ex2(cipher, NULL, NULL, sealed, -1, NULL);
  EVP_CipherUpdate(cipher, NULL, &written, (unsigned char *)&index, sizeof index);
  EVP_CipherUpdate(cipher, sealed + NONCE, &written, plain, CHUNK);
  EVP_CipherFinal_ex(cipher, sealed + NONCE + CHUNK, &written);
  EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, TAG, sealed + NONCE + CHUNK);
  if (pwrite(file, sealed, WHOLE, (off_t)index * WHOLE) != WHOLE) fail("a chunk is not written");
}

static void read_chunk(int file, uint64_t index) {
  int count;
  if (pread(file, sealed, WHOLE, (off_t)index * WHOLE) != WHOLE) fail("a chunk is not read");
  EVP_CipherInit_ex2(cipher, NULL, NULL, sealed, -1, NULL);
  EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, TAG, sealed + NONCE + CHUNK);
  EVP_CipherUpdate(cipher, NULL, &count, (unsigned char *)&index, sizeof index);
  EVP_CipherUpdate(cipher, plain, &count, sealed + NONCE, CHUNK);
  if (EVP_CipherFinal_ex(cipher, plain + CHUNK, &count) != 1) fail("a chunk is damaged");
}

static uint64_t first_word(const unsigned char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static uint64_t next_draw(uint64_t *state) {
  uint64_t mixed = *state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

static uint64_t write_all(const char *path, uint64_t chunks) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  for (int i = 0; i < CHUNK; i++) plain[i] = (unsigned char)(i * 7);
  for (uint64_t index = 0; index < chunks; index++) {
    memcpy(plain, &index, sizeof index);
    write_chunk(file, index);
  }
  if (fdatasync(file) != 0) fail("the file is not durable");
  close(file);
  return chunks;
}

static uint64_t read_all(const char *path, uint64_t chunks) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  uint64_t sum = 0;
  for (uint64_t index = 0; index < chunks; index++) {
    read_chunk(file, index);
    sum = sum * 31 + first_word(plain);
  }
  close(file);
  return sum;
}

static uint64_t read_pages(int file, uint64_t pages, uint64_t count) {
  unsigned char page[PAGE];
  uint64_t state = 42, sum = 0;
  for (uint64_t step = 0; step < count; step++) {
    uint64_t place = next_draw(&state) % pages;
    read_chunk(file, place / (CHUNK / PAGE));
    memcpy(page, plain + place % (CHUNK / PAGE) * PAGE, PAGE);
    sum = sum * 31 + first_word(page);
  }
  return sum;
}

int main(int count, char **arguments) {
  if (count != 4) fail("usage: chunks write|read|random FILE COUNT");
  uint64_t steps = strtoull(arguments[3], NULL, 10), sum;
  prepare(strcmp(arguments[1], "write") == 0);
  double start = now_us();
  if (strcmp(arguments[1], "random") == 0) {
    int file = open(arguments[2], O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fstat(file, &status) != 0) fail("no file");
    start = now_us();
    sum = read_pages(file, (uint64_t)status.st_size / WHOLE * (CHUNK / PAGE), steps);
  } else {
    steps *= (1 << 20) / CHUNK;
    sum = strcmp(arguments[1], "write") == 0 ? write_all(arguments[2], steps) : read_all(arguments[2], steps);
  }
  printf("%f %llx\n", (now_us() - start) * 1000 / (double)steps, (unsigned long long)sum);
  return 0;
}
