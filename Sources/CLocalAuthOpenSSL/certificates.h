#pragma once
#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Signatures of certificates, and files of PKCS #12. Such a file may be encrypted with RC2, which only
// the provider `legacy` has: it is loaded into a library context of this file's own.

// Whether the key of one certificate made the signature of another; both in DER.
static inline bool la_certificate_is_signed(const void *_Nullable certificate, size_t size,
                                            const void *_Nullable issuer, size_t issuer_size) {
  const unsigned char *bytes = (const unsigned char *)certificate;
  const unsigned char *issuer_bytes = (const unsigned char *)issuer;
  X509 *subject = d2i_X509(NULL, &bytes, (long)size);
  X509 *signer = d2i_X509(NULL, &issuer_bytes, (long)issuer_size);
  EVP_PKEY *key = signer == NULL ? NULL : X509_get0_pubkey(signer);
  bool is_signed = subject != NULL && key != NULL && X509_verify(subject, key) == 1;
  X509_free(subject);
  X509_free(signer);
  ERR_clear_error();
  return is_signed;
}

enum la_p12_status {
  LA_P12_DONE,
  LA_P12_MALFORMED,
  LA_P12_UNSUPPORTED,
  LA_P12_WRONG_PASSPHRASE,
  LA_P12_FAILED
};

enum la_p12_kind { LA_P12_KEY, LA_P12_CERTIFICATE, LA_P12_OTHER };

// A file that is open. The passphrase is the caller's and outlives it.
struct la_p12 {
  OSSL_LIB_CTX *_Nullable library;
  OSSL_PROVIDER *_Nullable standard;
  OSSL_PROVIDER *_Nullable legacy;
  STACK_OF(PKCS12_SAFEBAG) *_Nullable bags;
  const char *_Nullable passphrase;
  int passphrase_size;
  // How many rounds of key derivation the file may still cost.
  int64_t rounds;
};

static inline bool la_p12_spend(struct la_p12 *_Nonnull file, const ASN1_INTEGER *_Nullable rounds) {
  int64_t count = 1;
  if (rounds != NULL && ASN1_INTEGER_get_int64(&count, rounds) != 1) return false;
  if (count < 1 || count > file->rounds) return false;
  file->rounds -= count;
  return true;
}

// Whether the file may have its keys derived as `algorithm` says: with PBKDF2 or as PKCS #12 and #5
// had it before, and no more often than the file may cost.
static inline enum la_p12_status la_p12_admit(struct la_p12 *_Nonnull file,
                                              const X509_ALGOR *_Nullable algorithm) {
  if (algorithm == NULL || algorithm->parameter == NULL) return LA_P12_MALFORMED;
  enum la_p12_status status = LA_P12_MALFORMED;
  if (OBJ_obj2nid(algorithm->algorithm) == NID_pbes2) {
    PBE2PARAM *scheme =
        (PBE2PARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), algorithm->parameter);
    if (scheme != NULL && OBJ_obj2nid(scheme->keyfunc->algorithm) != NID_id_pbkdf2) {
      status = LA_P12_UNSUPPORTED;
    } else if (scheme != NULL) {
      PBKDF2PARAM *derivation = (PBKDF2PARAM *)ASN1_TYPE_unpack_sequence(
          ASN1_ITEM_rptr(PBKDF2PARAM), scheme->keyfunc->parameter);
      if (derivation != NULL)
        status = la_p12_spend(file, derivation->iter) ? LA_P12_DONE : LA_P12_UNSUPPORTED;
      PBKDF2PARAM_free(derivation);
    }
    PBE2PARAM_free(scheme);
  } else {
    PBEPARAM *derivation =
        (PBEPARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBEPARAM), algorithm->parameter);
    if (derivation != NULL)
      status = la_p12_spend(file, derivation->iter) ? LA_P12_DONE : LA_P12_UNSUPPORTED;
    PBEPARAM_free(derivation);
  }
  return status;
}

// Whether the passphrase is the file's. No passphrase is two: none, and the empty one.
static inline enum la_p12_status la_p12_verify(struct la_p12 *_Nonnull file, PKCS12 *_Nonnull parsed) {
  const ASN1_INTEGER *rounds = NULL;
  const X509_ALGOR *algorithm = NULL;
  if (PKCS12_mac_present(parsed) != 1) return LA_P12_MALFORMED;
  PKCS12_get0_mac(NULL, &algorithm, NULL, &rounds, parsed);
  // PBMAC1 has rounds and the size of a key of its own, which newer versions of OpenSSL follow unasked.
  if (algorithm == NULL || OBJ_obj2nid(algorithm->algorithm) == NID_pbmac1) return LA_P12_UNSUPPORTED;
  if (!la_p12_spend(file, rounds)) return LA_P12_UNSUPPORTED;
  if (PKCS12_verify_mac(parsed, file->passphrase, file->passphrase_size) == 1) return LA_P12_DONE;
  if (file->passphrase_size > 0) return LA_P12_WRONG_PASSPHRASE;
  if (!la_p12_spend(file, rounds)) return LA_P12_UNSUPPORTED;
  file->passphrase = NULL;
  return PKCS12_verify_mac(parsed, NULL, 0) == 1 ? LA_P12_DONE : LA_P12_WRONG_PASSPHRASE;
}

// The bags of one part of the file, which is encrypted or not; NULL with DONE for a part that is of
// another kind.
static inline STACK_OF(PKCS12_SAFEBAG) *_Nullable la_p12_unpack(
    struct la_p12 *_Nonnull file, PKCS7 *_Nonnull part, enum la_p12_status *_Nonnull status) {
  *status = LA_P12_DONE;
  STACK_OF(PKCS12_SAFEBAG) *bags = NULL;
  if (PKCS7_type_is_data(part)) {
    bags = PKCS12_unpack_p7data(part);
  } else if (PKCS7_type_is_encrypted(part)) {
    PKCS7_ENC_CONTENT *content = part->d.encrypted == NULL ? NULL : part->d.encrypted->enc_data;
    *status = content == NULL || content->enc_data == NULL ? LA_P12_MALFORMED
                                                           : la_p12_admit(file, content->algorithm);
    if (*status != LA_P12_DONE) return NULL;
    bags = (STACK_OF(PKCS12_SAFEBAG) *)PKCS12_item_decrypt_d2i_ex(
        content->algorithm, ASN1_ITEM_rptr(PKCS12_SAFEBAGS), file->passphrase,
        file->passphrase_size, content->enc_data, 1, file->library, NULL);
  } else {
    return NULL;
  }
  if (bags == NULL) *status = LA_P12_MALFORMED;
  return bags;
}

// Collects the bags of every part; those that were collected before an error are freed on closing.
static inline enum la_p12_status la_p12_collect(struct la_p12 *_Nonnull file, PKCS12 *_Nonnull parsed) {
  STACK_OF(PKCS7) *parts = PKCS12_unpack_authsafes(parsed);
  enum la_p12_status status = parts == NULL ? LA_P12_MALFORMED : LA_P12_DONE;
  for (int i = 0; status == LA_P12_DONE && i < sk_PKCS7_num(parts); i++) {
    STACK_OF(PKCS12_SAFEBAG) *bags = la_p12_unpack(file, sk_PKCS7_value(parts, i), &status);
    PKCS12_SAFEBAG *bag;
    while (bags != NULL && (bag = sk_PKCS12_SAFEBAG_shift(bags)) != NULL)
      if (sk_PKCS12_SAFEBAG_push(file->bags, bag) <= 0) {
        PKCS12_SAFEBAG_free(bag);
        status = LA_P12_FAILED;
      }
    sk_PKCS12_SAFEBAG_free(bags);
  }
  sk_PKCS7_pop_free(parts, PKCS7_free);
  return status;
}

// Opens the file; la_p12_close is called whatever comes of it. `rounds` is how many rounds of key
// derivation it may cost in all.
static inline enum la_p12_status la_p12_open(struct la_p12 *_Nonnull file, const void *_Nullable bytes,
                                             size_t size, const void *_Nullable passphrase,
                                             size_t passphrase_size, int64_t rounds) {
  memset(file, 0, sizeof *file);
  if (size > INT_MAX || passphrase_size > INT_MAX) return LA_P12_MALFORMED;
  file->passphrase = passphrase == NULL ? "" : (const char *)passphrase;
  file->passphrase_size = (int)passphrase_size;
  file->rounds = rounds;
  const unsigned char *next = (const unsigned char *)bytes;
  PKCS12 *parsed = d2i_PKCS12(NULL, &next, (long)size);
  enum la_p12_status status = LA_P12_MALFORMED;
  if (parsed != NULL && next == (const unsigned char *)bytes + size)
    status = la_p12_verify(file, parsed);
  if (status == LA_P12_DONE) {
    file->library = OSSL_LIB_CTX_new();
    file->bags = sk_PKCS12_SAFEBAG_new_null();
    if (file->library != NULL) {
      file->standard = OSSL_PROVIDER_load(file->library, "default");
      // Where it is not installed, a file with RC2 cannot be decrypted, and any other can.
      file->legacy = OSSL_PROVIDER_load(file->library, "legacy");
    }
    status = file->standard == NULL || file->bags == NULL ? LA_P12_FAILED
                                                          : la_p12_collect(file, parsed);
  }
  PKCS12_free(parsed);
  ERR_clear_error();
  return status;
}

static inline void la_p12_close(struct la_p12 *_Nonnull file) {
  sk_PKCS12_SAFEBAG_pop_free(file->bags, PKCS12_SAFEBAG_free);
  if (file->legacy != NULL) OSSL_PROVIDER_unload(file->legacy);
  if (file->standard != NULL) OSSL_PROVIDER_unload(file->standard);
  OSSL_LIB_CTX_free(file->library);
  memset(file, 0, sizeof *file);
}

static inline int la_p12_count(const struct la_p12 *_Nonnull file) {
  return file->bags == NULL ? 0 : sk_PKCS12_SAFEBAG_num(file->bags);
}

static inline enum la_p12_kind la_p12_kind(const struct la_p12 *_Nonnull file, int index) {
  const PKCS12_SAFEBAG *bag = sk_PKCS12_SAFEBAG_value(file->bags, index);
  int kind = PKCS12_SAFEBAG_get_nid(bag);
  if (kind == NID_pkcs8ShroudedKeyBag) return LA_P12_KEY;
  // Asking what is in a bag is an error for bags that hold no certificate.
  if (kind == NID_certBag && PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate)
    return LA_P12_CERTIFICATE;
  return LA_P12_OTHER;
}

// The name that people know the content by, in UTF-8, to be freed with la_p12_free; NULL for none.
static inline char *_Nullable la_p12_label(const struct la_p12 *_Nonnull file, int index) {
  return PKCS12_get_friendlyname(sk_PKCS12_SAFEBAG_value(file->bags, index));
}

// The bytes that a key and its certificate have in common, lent while the file is open.
static inline const void *_Nullable la_p12_key_identifier(const struct la_p12 *_Nonnull file, int index,
                                                          size_t *_Nonnull size) {
  const ASN1_TYPE *value =
      PKCS12_SAFEBAG_get0_attr(sk_PKCS12_SAFEBAG_value(file->bags, index), NID_localKeyID);
  if (value == NULL || value->type != V_ASN1_OCTET_STRING) return NULL;
  *size = (size_t)ASN1_STRING_length(value->value.octet_string);
  return ASN1_STRING_get0_data(value->value.octet_string);
}

// The certificate in DER, to be freed with la_p12_free; NULL for what is none.
static inline void *_Nullable la_p12_certificate(const struct la_p12 *_Nonnull file, int index,
                                                 size_t *_Nonnull size) {
  X509 *certificate = PKCS12_SAFEBAG_get1_cert(sk_PKCS12_SAFEBAG_value(file->bags, index));
  unsigned char *bytes = NULL;
  int length = certificate == NULL ? -1 : i2d_X509(certificate, &bytes);
  X509_free(certificate);
  ERR_clear_error();
  if (length < 0) return NULL;
  *size = (size_t)length;
  return bytes;
}

static inline void la_p12_free(void *_Nullable bytes) { OPENSSL_free(bytes); }

// Decrypts a private key, to be freed with la_p12_key_free; NULL and why for what is none.
static inline PKCS8_PRIV_KEY_INFO *_Nullable la_p12_key(struct la_p12 *_Nonnull file, int index,
                                                        enum la_p12_status *_Nonnull status) {
  const PKCS12_SAFEBAG *bag = sk_PKCS12_SAFEBAG_value(file->bags, index);
  const X509_SIG *sealed = PKCS12_SAFEBAG_get0_pkcs8(bag);
  const X509_ALGOR *algorithm = NULL;
  if (sealed != NULL) X509_SIG_get0(sealed, &algorithm, NULL);
  *status = la_p12_admit(file, algorithm);
  if (*status != LA_P12_DONE) return NULL;
  PKCS8_PRIV_KEY_INFO *key = PKCS12_decrypt_skey_ex(bag, file->passphrase, file->passphrase_size,
                                                    file->library, NULL);
  if (key == NULL) *status = LA_P12_MALFORMED;
  ERR_clear_error();
  return key;
}

// How many bytes the key has in PKCS #8.
static inline size_t la_p12_key_size(const PKCS8_PRIV_KEY_INFO *_Nonnull key) {
  int size = i2d_PKCS8_PRIV_KEY_INFO(key, NULL);
  return size < 0 ? 0 : (size_t)size;
}

// Writes la_p12_key_size bytes.
static inline bool la_p12_key_write(const PKCS8_PRIV_KEY_INFO *_Nonnull key, void *_Nullable bytes) {
  unsigned char *output = (unsigned char *)bytes;
  return i2d_PKCS8_PRIV_KEY_INFO(key, &output) > 0;
}

// The library wipes what it frees.
static inline void la_p12_key_free(PKCS8_PRIV_KEY_INFO *_Nullable key) { PKCS8_PRIV_KEY_INFO_free(key); }
