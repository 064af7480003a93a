#pragma once

// Apple's CommonCrypto over OpenSSL's libcrypto: the same names, types, values and results, so that
// code written for Apple's platforms compiles and runs unchanged. Where the two differ, the comment
// of the function says so. docs/decisions/0010-common-crypto.md says why this is a module of C.
//
// Nothing here keeps state between calls: different contexts and cryptors may be used by different
// threads at once, one by one thread at a time. No call ends the process: a pointer to nothing
// where bytes are expected is refused, with kCCParamError where there is a status.

#include <CommonCrypto/CommonCryptoError.h>
#include <CommonCrypto/CommonCryptor.h>
#include <CommonCrypto/CommonDigest.h>
#include <CommonCrypto/CommonHMAC.h>
#include <CommonCrypto/CommonKeyDerivation.h>
#include <CommonCrypto/CommonRandom.h>
#include <CommonCrypto/CommonSymmetricKeywrap.h>
