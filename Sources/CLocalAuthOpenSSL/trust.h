#pragma once
#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Whether a certificate leads to one that is trusted. Nothing is fetched: what is missing is missing.

enum la_trust_role { LA_TRUST_LEAF, LA_TRUST_OTHER, LA_TRUST_ANCHOR };
enum la_trust_use { LA_TRUST_ANY, LA_TRUST_SERVER, LA_TRUST_CLIENT };

// The most authorities between a certificate and an anchor.
#define LA_TRUST_DEPTH 10
// OpenSSL's level of 112 bits: no RSA below 2048 bits, no SHA-1.
#define LA_TRUST_LEVEL 2

struct la_trust {
  X509 *_Nullable leaf;
  STACK_OF(X509) *_Nullable others;
  X509_STORE *_Nullable store;
  STACK_OF(X509) *_Nullable chain;
};

// la_trust_close is called whatever comes of it.
static inline bool la_trust_open(struct la_trust *_Nonnull trust) {
  memset(trust, 0, sizeof *trust);
  trust->others = sk_X509_new_null();
  trust->store = X509_STORE_new();
  return trust->others != NULL && trust->store != NULL;
}

static inline void la_trust_close(struct la_trust *_Nonnull trust) {
  X509_free(trust->leaf);
  sk_X509_pop_free(trust->others, X509_free);
  sk_X509_pop_free(trust->chain, X509_free);
  X509_STORE_free(trust->store);
  memset(trust, 0, sizeof *trust);
}

static inline bool la_trust_add(struct la_trust *_Nonnull trust, enum la_trust_role role,
                                const void *_Nullable der, size_t size) {
  const unsigned char *bytes = (const unsigned char *)der;
  X509 *certificate = size > LONG_MAX ? NULL : d2i_X509(NULL, &bytes, (long)size);
  bool is_added = false;
  if (certificate != NULL) {
    switch (role) {
    case LA_TRUST_LEAF:
      X509_free(trust->leaf);
      trust->leaf = certificate;
      return true;
    case LA_TRUST_OTHER:
      if (sk_X509_push(trust->others, certificate) > 0) return true;
      break;
    case LA_TRUST_ANCHOR:
      is_added = X509_STORE_add_cert(trust->store, certificate) == 1;
      break;
    }
  }
  X509_free(certificate);
  ERR_clear_error();
  return is_added;
}

// The anchors in a directory under hashes of their names; no variable of the environment counts.
static inline bool la_trust_add_directory(struct la_trust *_Nonnull trust, const char *_Nonnull path) {
  bool is_added = X509_STORE_load_path(trust->store, path) == 1;
  ERR_clear_error();
  return is_added;
}

static inline bool la_trust_limit(X509_VERIFY_PARAM *_Nonnull limits, int64_t time,
                                  enum la_trust_use use, const char *_Nullable host) {
  X509_VERIFY_PARAM_set_time(limits, (time_t)time);
  X509_VERIFY_PARAM_set_depth(limits, LA_TRUST_DEPTH);
  X509_VERIFY_PARAM_set_auth_level(limits, LA_TRUST_LEVEL);
  // An anchor is trusted as it is, whoever issued it.
  if (X509_VERIFY_PARAM_set_flags(limits, X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST) != 1)
    return false;
  if (use != LA_TRUST_ANY &&
      X509_VERIFY_PARAM_set_purpose(
          limits, use == LA_TRUST_SERVER ? X509_PURPOSE_SSL_SERVER : X509_PURPOSE_SSL_CLIENT) != 1)
    return false;
  if (host == NULL) return true;
  X509_VERIFY_PARAM_set_hostflags(
      limits, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (X509_VERIFY_PARAM_set1_ip_asc(limits, host) == 1) return true;
  return X509_VERIFY_PARAM_set1_host(limits, host, strlen(host)) == 1;
}

// Every authority but the anchor must say itself that it is one; OpenSSL is content with less.
static inline bool la_trust_has_authorities(const STACK_OF(X509) *_Nonnull chain) {
  for (int i = 1; i < sk_X509_num(chain) - 1; i++)
    if (X509_check_ca(sk_X509_value(chain, i)) != 1) return false;
  return true;
}

// X509_V_OK, or why the certificate is not trusted. `host` is NULL where none is to be compared.
static inline int la_trust_verify(struct la_trust *_Nonnull trust, int64_t time,
                                  enum la_trust_use use, const char *_Nullable host) {
  int error = X509_V_ERR_UNSPECIFIED;
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  if (context != NULL && trust->leaf != NULL &&
      X509_STORE_CTX_init(context, trust->store, trust->leaf, trust->others) == 1 &&
      la_trust_limit(X509_STORE_CTX_get0_param(context), time, use, host)) {
    int is_trusted = X509_verify_cert(context);
    error = X509_STORE_CTX_get_error(context);
    if (is_trusted != 1 && error == X509_V_OK) error = X509_V_ERR_UNSPECIFIED;
    trust->chain = X509_STORE_CTX_get1_chain(context);
    if (error == X509_V_OK && trust->chain == NULL) error = X509_V_ERR_OUT_OF_MEM;
    if (error == X509_V_OK && !la_trust_has_authorities(trust->chain)) error = X509_V_ERR_INVALID_CA;
  }
  X509_STORE_CTX_free(context);
  ERR_clear_error();
  return error;
}

// How many certificates the chain has, as far as there is one.
static inline int la_trust_count(const struct la_trust *_Nonnull trust) {
  return trust->chain == NULL ? 0 : sk_X509_num(trust->chain);
}

// How many bytes the certificate has in DER; 0 without memory.
static inline size_t la_trust_size(const struct la_trust *_Nonnull trust, int index) {
  int size = i2d_X509(sk_X509_value(trust->chain, index), NULL);
  return size < 0 ? 0 : (size_t)size;
}

// Writes la_trust_size bytes.
static inline bool la_trust_write(const struct la_trust *_Nonnull trust, int index,
                                  void *_Nullable bytes) {
  unsigned char *output = (unsigned char *)bytes;
  return i2d_X509(sk_X509_value(trust->chain, index), &output) > 0;
}
