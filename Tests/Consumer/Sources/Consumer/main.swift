import LocalAuth

#if canImport(Security) || canImport(LocalAuthentication) || canImport(CommonCrypto)
#error("A module with Apple's name is there, though nobody linked AppleSource.")
#endif

print(Keychain(service: "consumer").service)
