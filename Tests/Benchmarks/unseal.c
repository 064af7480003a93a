// Opens bodies sealed by XChaCha20-Poly1305, as records of a zone are.
//
// usage: unseal COUNT BYTES    prints the milliseconds for all of them
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

int main(int count, char **arguments) {
  if (count != 3 || sodium_init() < 0) fail("usage: unseal COUNT BYTES");
  long bodies = atol(arguments[1]), size = atol(arguments[2]);
  unsigned char key[crypto_aead_xchacha20poly1305_ietf_KEYBYTES] = {1};
  unsigned char nonce[crypto_aead_xchacha20poly1305_ietf_NPUBBYTES] = {2};
  unsigned char *plain = calloc(1, (size_t)size);
  unsigned char *sealed = malloc((size_t)size + crypto_aead_xchacha20poly1305_ietf_ABYTES);
  if (!plain || !sealed) fail("no memory");
  crypto_aead_xchacha20poly1305_ietf_encrypt(sealed, NULL, plain, (unsigned long long)size, nonce, sizeof nonce, NULL,
                                             nonce, key);
  unsigned long long length = (unsigned long long)size + crypto_aead_xchacha20poly1305_ietf_ABYTES;
  double start = now_us();
  for (long i = 0; i < bodies; i++)
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(plain, NULL, NULL, sealed, length, nonce, sizeof nonce, nonce, key))
      fail("a body does not open");
  printf("%.1f\n", (now_us() - start) / 1000);
  return 0;
}
