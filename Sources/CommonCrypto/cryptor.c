#include "cipher.h"

#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

enum { largest_block = kCCBlockSizeAES128 };

struct _CCCryptor {
  // In memory of a caller's there is only this, which leads to the real one.
  struct _CCCryptor *real;
  struct la_cipher cipher;
  bool pads;
  // Data that fills no block yet or, when padding is to be taken off, the last block.
  size_t waiting;
  unsigned char buffer[largest_block];
  // What the last block became, when there was no room for it.
  bool has_end;
  size_t end_size;
  unsigned char end[largest_block];
};

// Where in a caller's memory a reference can lie: its size is that of one pointer.
enum { reference_size = sizeof(struct _CCCryptor *), most_reference = 24 };

static struct _CCCryptor *real_cryptor(CCCryptorRef cryptor) {
  return cryptor == NULL || cryptor->real == NULL ? cryptor : cryptor->real;
}

static void store(size_t *place, size_t value) {
  if (place != NULL) *place = value;
}

static CCCryptorStatus begin(struct _CCCryptor *cryptor, CCOperation op, CCMode mode,
                             CCAlgorithm alg, CCPadding padding, const void *key, size_t key_size,
                             const void *vector) {
  // Ciphertext stealing, which is not public on Apple's platforms either. What is unknown is none.
  enum { stealing = 2 };
  if (padding == stealing) return kCCUnimplemented;
  cryptor->real = NULL;
  cryptor->pads = padding == ccPKCS7Padding;
  cryptor->waiting = 0;
  cryptor->has_end = false;
  return la_cipher_begin(&cryptor->cipher, op, mode, alg, key, key_size, vector);
}

static void end(struct _CCCryptor *cryptor) {
  la_cipher_end(&cryptor->cipher);
  explicit_bzero(cryptor, sizeof *cryptor);
}

static CCMode mode_of(CCOptions options) {
  return options & kCCOptionECBMode ? kCCModeECB : kCCModeCBC;
}

static CCPadding padding_of(CCOptions options) {
  return options & kCCOptionPKCS7Padding ? ccPKCS7Padding : ccNoPadding;
}

// How much of `size` bytes stays back until more come or the data ends.
static size_t held_back(const struct _CCCryptor *cryptor, size_t size) {
  const size_t block = cryptor->cipher.block;
  const bool keeps_last = cryptor->pads && !cryptor->cipher.encrypts;
  if (la_cipher_streams(&cryptor->cipher)) return 0;
  // Blocks are powers of two, and a division would take as long as a block.
  const size_t rest = size & (block - 1);
  return keeps_last && size > 0 && rest == 0 ? block : rest;
}

// The size of the result of `size` bytes more, and of the end; false when no size_t is that large.
static bool output_size(const struct _CCCryptor *cryptor, size_t size, bool is_final,
                        size_t *output) {
  const size_t total = cryptor->waiting + size;
  if (total < size) return false;
  *output = total - held_back(cryptor, total);
  if (!is_final || !cryptor->pads || la_cipher_streams(&cryptor->cipher)) return true;
  // Decrypted data may be as long as it was but for one byte of padding, which Apple counts too.
  if (!cryptor->cipher.encrypts) *output = total;
  else *output += cryptor->cipher.block;
  return *output >= size;
}

static bool overlap(const unsigned char *a, size_t a_size, const unsigned char *b, size_t b_size) {
  const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
  return x < y ? y - x < a_size : x - y < b_size;
}

// As much of the input as comes out now, then what is held back. The room is enough.
static CCCryptorStatus process(struct _CCCryptor *cryptor, const unsigned char *in, size_t size,
                               unsigned char *out) {
  struct la_cipher *cipher = &cryptor->cipher;
  const size_t hold = held_back(cryptor, cryptor->waiting + size);
  size_t whole = cryptor->waiting + size - hold;
  if (whole == 0) {
    memcpy(cryptor->buffer + cryptor->waiting, in, size);
    cryptor->waiting += size;
    return kCCSuccess;
  }
  if (cryptor->waiting > 0) {
    const size_t taken = cipher->block - cryptor->waiting;
    memcpy(cryptor->buffer + cryptor->waiting, in, taken);
    CCCryptorStatus status = la_cipher_run(cipher, cryptor->buffer, cipher->block, out);
    if (status != kCCSuccess) return status;
    in += taken;
    out += cipher->block;
    whole -= cipher->block;
  }
  CCCryptorStatus status = la_cipher_run(cipher, in, whole, out);
  if (status != kCCSuccess) return status;
  memcpy(cryptor->buffer, in + whole, hold);
  cryptor->waiting = hold;
  return kCCSuccess;
}

static CCCryptorStatus update(struct _CCCryptor *cryptor, const unsigned char *in, size_t size,
                              unsigned char *out, size_t room, size_t *moved) {
  size_t needed;
  store(moved, 0);
  if (cryptor->has_end) return kCCCallSequenceError;
  if (size == 0) return kCCSuccess;
  if (in == NULL || !output_size(cryptor, size, false, &needed)) return kCCParamError;
  if (needed > room) {
    store(moved, needed);
    return kCCBufferTooSmall;
  }
  if (needed > 0 && out == NULL) return kCCParamError;

  // In place is fine as long as nothing is written before it was read.
  unsigned char *copy = NULL;
  if (overlap(in, size, out, needed) && (in != out || cryptor->waiting > 0)) {
    copy = OPENSSL_malloc(size);
    if (copy == NULL) return kCCMemoryFailure;
    memcpy(copy, in, size);
    in = copy;
  }
  CCCryptorStatus status = process(cryptor, in, size, out);
  OPENSSL_clear_free(copy, size);
  if (status == kCCSuccess) store(moved, needed);
  return status;
}

// Makes the last block of the result.
static CCCryptorStatus finish(struct _CCCryptor *cryptor) {
  struct la_cipher *cipher = &cryptor->cipher;
  const size_t block = cipher->block;
  cryptor->end_size = 0;
  if (la_cipher_streams(cipher)) return kCCSuccess;
  if (!cryptor->pads) return cryptor->waiting == 0 ? kCCSuccess : kCCAlignmentError;
  if (cipher->encrypts) {
    memset(cryptor->buffer + cryptor->waiting, (int)(block - cryptor->waiting),
           block - cryptor->waiting);
  } else {
    if (cryptor->waiting == 0) return kCCSuccess;
    if (cryptor->waiting != block) return kCCAlignmentError;
  }
  CCCryptorStatus status = la_cipher_run(cipher, cryptor->buffer, block, cryptor->end);
  if (status != kCCSuccess) return status;
  cryptor->waiting = 0;
  cryptor->end_size = block;
  // As on Apple's platforms only the last byte is looked at, and one that makes no sense is no
  // padding. Who must not learn what it was cannot learn it from an error.
  const unsigned char padding = cryptor->end[block - 1];
  if (!cipher->encrypts && padding >= 1 && padding <= block) cryptor->end_size -= padding;
  return kCCSuccess;
}

static CCCryptorStatus final(struct _CCCryptor *cryptor, unsigned char *out, size_t room,
                             size_t *moved) {
  store(moved, 0);
  if (!cryptor->has_end) {
    CCCryptorStatus status = finish(cryptor);
    if (status != kCCSuccess) return status;
  }
  cryptor->has_end = cryptor->end_size > room || (cryptor->end_size > 0 && out == NULL);
  if (cryptor->has_end) {
    if (cryptor->end_size <= room) return kCCParamError;
    store(moved, cryptor->end_size);
    return kCCBufferTooSmall;
  }
  if (cryptor->end_size > 0) memcpy(out, cryptor->end, cryptor->end_size);
  store(moved, cryptor->end_size);
  return kCCSuccess;
}

static void wipe_data(struct _CCCryptor *cryptor) {
  explicit_bzero(cryptor->buffer, sizeof cryptor->buffer);
  explicit_bzero(cryptor->end, sizeof cryptor->end);
}

CCCryptorStatus CCCryptorCreateWithMode(CCOperation op, CCMode mode, CCAlgorithm alg,
                                        CCPadding padding, const void *iv, const void *key,
                                        size_t keyLength, const void *tweak, size_t tweakLength,
                                        int numRounds, CCModeOptions options,
                                        CCCryptorRef *cryptorRef) {
  (void)tweak, (void)tweakLength, (void)numRounds, (void)options;
  if (cryptorRef == NULL) return kCCParamError;
  *cryptorRef = NULL;
  if (key == NULL) return kCCParamError;
  struct _CCCryptor *cryptor = malloc(sizeof *cryptor);
  if (cryptor == NULL) return kCCMemoryFailure;
  CCCryptorStatus status = begin(cryptor, op, mode, alg, padding, key, keyLength, iv);
  if (status == kCCSuccess) *cryptorRef = cryptor;
  else free(cryptor);
  return status;
}

CCCryptorStatus CCCryptorCreate(CCOperation op, CCAlgorithm alg, CCOptions options, const void *key,
                                size_t keyLength, const void *iv, CCCryptorRef *cryptorRef) {
  return CCCryptorCreateWithMode(op, mode_of(options), alg, padding_of(options), iv, key, keyLength,
                                 NULL, 0, 0, 0, cryptorRef);
}

CCCryptorStatus CCCryptorCreateFromData(CCOperation op, CCAlgorithm alg, CCOptions options,
                                        const void *key, size_t keyLength, const void *iv,
                                        const void *data, size_t dataLength,
                                        CCCryptorRef *cryptorRef, size_t *dataUsed) {
  const size_t aligned = _Alignof(struct _CCCryptor *);
  const size_t skipped = (aligned - (uintptr_t)data % aligned) % aligned;
  _Static_assert(reference_size + _Alignof(struct _CCCryptor *) <= most_reference, "documented");
  if (cryptorRef == NULL) return kCCParamError;
  *cryptorRef = NULL;
  if (data == NULL) return kCCParamError;
  store(dataUsed, skipped + reference_size);
  if (dataLength < skipped + reference_size) return kCCBufferTooSmall;
  CCCryptorRef real;
  CCCryptorStatus status = CCCryptorCreate(op, alg, options, key, keyLength, iv, &real);
  if (status != kCCSuccess) return status;
  // The memory is the caller's to write to, whatever the type says.
  unsigned char *place = (unsigned char *)(uintptr_t)data + skipped;
  memcpy(place, &real, reference_size);
  *cryptorRef = (CCCryptorRef)(void *)place;
  return kCCSuccess;
}

CCCryptorStatus CCCryptorRelease(CCCryptorRef cryptorRef) {
  struct _CCCryptor *cryptor = real_cryptor(cryptorRef);
  if (cryptor == NULL) return kCCSuccess;
  end(cryptor);
  free(cryptor);
  return kCCSuccess;
}

CCCryptorStatus CCCryptorUpdate(CCCryptorRef cryptorRef, const void *dataIn, size_t dataInLength,
                                void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved) {
  struct _CCCryptor *cryptor = real_cryptor(cryptorRef);
  if (cryptor == NULL) {
    store(dataOutMoved, 0);
    return kCCParamError;
  }
  return update(cryptor, dataIn, dataInLength, dataOut, dataOutAvailable, dataOutMoved);
}

CCCryptorStatus CCCryptorFinal(CCCryptorRef cryptorRef, void *dataOut, size_t dataOutAvailable,
                               size_t *dataOutMoved) {
  struct _CCCryptor *cryptor = real_cryptor(cryptorRef);
  // Apple's succeeds here too.
  if (cryptor == NULL) {
    store(dataOutMoved, 0);
    return kCCSuccess;
  }
  CCCryptorStatus status = final(cryptor, dataOut, dataOutAvailable, dataOutMoved);
  if (status == kCCSuccess) wipe_data(cryptor);
  return status;
}

size_t CCCryptorGetOutputLength(CCCryptorRef cryptorRef, size_t inputLength, bool final) {
  const struct _CCCryptor *cryptor = real_cryptor(cryptorRef);
  size_t size;
  // There is no other way to say it, on Apple's platforms neither.
  if (cryptor == NULL || !output_size(cryptor, inputLength, final, &size))
    return (size_t)kCCParamError;
  return size;
}

CCCryptorStatus CCCryptorReset(CCCryptorRef cryptorRef, const void *iv) {
  struct _CCCryptor *cryptor = real_cryptor(cryptorRef);
  if (cryptor == NULL) return kCCParamError;
  if (cryptor->cipher.mode != kCCModeCBC && cryptor->cipher.mode != kCCModeCTR)
    return kCCUnimplemented;
  cryptor->waiting = 0;
  cryptor->has_end = false;
  wipe_data(cryptor);
  return la_cipher_restart(&cryptor->cipher, iv);
}

CCCryptorStatus CCCrypt(CCOperation op, CCAlgorithm alg, CCOptions options, const void *key,
                        size_t keyLength, const void *iv, const void *dataIn, size_t dataInLength,
                        void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved) {
  struct _CCCryptor cryptor;
  size_t needed = 0, updated = 0, finished = 0;
  if (key == NULL) return kCCParamError;
  CCCryptorStatus status =
      begin(&cryptor, op, mode_of(options), alg, padding_of(options), key, keyLength, iv);
  if (status != kCCSuccess) return status;
  if (!output_size(&cryptor, dataInLength, true, &needed)) status = kCCParamError;
  else if (needed > dataOutAvailable) status = kCCBufferTooSmall;
  else if (needed > 0 && dataOut == NULL) status = kCCParamError;
  if (status == kCCBufferTooSmall) updated = needed;
  if (status == kCCSuccess)
    status = update(&cryptor, dataIn, dataInLength, dataOut, dataOutAvailable, &updated);
  if (status == kCCSuccess)
    status = final(&cryptor, dataOut == NULL ? NULL : (unsigned char *)dataOut + updated,
                   dataOutAvailable - updated, &finished);
  store(dataOutMoved, updated + finished);
  end(&cryptor);
  return status;
}
