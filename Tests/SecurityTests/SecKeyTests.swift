import Security
import Testing

/// Keys that a process holds itself.
@Suite struct SecKeyTests {
  @Test(arguments: 0..<4)
  func externalRepresentationMakesTheSameKeyAgain(_ index: Int) throws {
    let original = SampleKeys.all[index]
    let type = index == 0 ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom
    let again = try key(external(original), type, kSecAttrKeyClassPrivate)
    #expect(again == original)
    #expect(again.hash == original.hash)
    let half = try publicHalf(original)
    let halfAgain = try key(external(half), type, kSecAttrKeyClassPublic)
    #expect(halfAgain == half)
    #expect(half != original)
    #expect(SecKeyCopyPublicKey(half) === half)
    #expect(CFGetTypeID(original) == SecKeyGetTypeID())
    #expect(CFEqual(again, original))
  }

  @Test func sizesAreThoseOfApplesFormats() throws {
    let sizes = try SampleKeys.curves.map {
      [try external($0).count, try external(publicHalf($0)).count]
    }
    #expect(sizes == [[97, 65], [145, 97], [199, 133]])
    #expect(SampleKeys.all.map(SecKeyGetBlockSize) == [256, 32, 48, 66])
    #expect(try external(publicHalf(SampleKeys.rsa)).count == 270)
  }

  @Test func attributesSayWhatAKeyIs() throws {
    let attributes = try #require(SecKeyCopyAttributes(SampleKeys.rsa) as? [String: Any])
    #expect(attributes[kSecAttrKeyType as String] as? String == kSecAttrKeyTypeRSA as String)
    #expect(attributes[kSecAttrKeyClass as String] as? String == "1")
    #expect(attributes[kSecAttrKeySizeInBits as String] as? Int == 2048)
    #expect(attributes[kSecAttrCanSign as String] as? Bool == true)
    #expect(attributes[kSecAttrCanVerify as String] as? Bool == false)
    #expect(try attributes[kSecValueData as String] as? Data == external(SampleKeys.rsa))
    let half = try publicHalf(SampleKeys.curves[2])
    let ofHalf = try #require(SecKeyCopyAttributes(half) as? [String: Any])
    #expect(ofHalf[kSecAttrKeyClass as String] as? String == "0")
    #expect(ofHalf[kSecAttrKeySizeInBits as String] as? Int == 521)
    #expect(ofHalf[kSecAttrCanVerify as String] as? Bool == true)
    let label = try #require(ofHalf[kSecAttrApplicationLabel as String] as? Data)
    #expect(label.count == 20)
    let ofWhole = SecKeyCopyAttributes(SampleKeys.curves[2]) as? [String: Any]
    #expect(ofWhole?[kSecAttrApplicationLabel as String] as? Data == label)
  }

  @Test func descriptionShowsNothingOfTheKey() throws {
    let text = "\(SampleKeys.curves[0])"
    #expect(text == "<SecKey: private key, elliptic curve, 256 bits>")
    #expect("\(try publicHalf(SampleKeys.rsa))" == "<SecKey: public key, RSA, 2048 bits>")
  }

  @Test func pairIsMadeTheOlderWayToo() throws {
    var (half, whole): (SecKey?, SecKey?)
    let parameters =
      [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: "384"] as CFDictionary
    #expect(SecKeyGeneratePair(parameters, &half, &whole) == errSecSuccess)
    #expect(try SecKeyCopyPublicKey(#require(whole)) == half)
    #expect(SecKeyGeneratePair([:] as CFDictionary, &half, &whole) == errSecParam)
    #expect(SecKeyGeneratePair(parameters, nil, nil) == errSecSuccess)
  }

  // MARK: Bad input

  @Test(arguments: [0, 1, 192, 224, 257, 4096, -256])
  func curveOfAnotherSizeIsRefused(_ bits: Int) {
    #expect(
      status { try newKey(kSecAttrKeyTypeECSECPrimeRandom, bits) } == errSecKeySizeNotAllowed
    )
  }

  @Test(arguments: [0, 1, 511, 8193, -1, .max])
  func modulusOfAnotherSizeIsRefused(_ bits: Int) {
    #expect(status { try newKey(kSecAttrKeyTypeRSA, bits) } == errSecKeySizeNotAllowed)
  }

  @Test func requestsThatMakeNoSenseAreRefused() {
    let requests: [([String: Any], OSStatus)] = [
      ([:], errSecParam),
      ([kSecAttrKeyType: kSecAttrKeyTypeRSA], errSecKeySizeNotAllowed),
      (
        [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: "many"],
        errSecKeySizeNotAllowed
      ),
      ([kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrKeySizeInBits: 256], errSecParam),
      ([kSecAttrKeyType: Data(), kSecAttrKeySizeInBits: 256], errSecParam),
      ([kSecAttrKeyType: NSNull(), kSecAttrKeySizeInBits: 256], errSecParam),
      ([kSecAttrKeyType: 73, kSecAttrKeySizeInBits: 256, kSecPrivateKeyAttrs: "no"], errSecParam),
      ([kSecAttrKeyType: 73, kSecAttrKeySizeInBits: 256, kSecAttrTokenID: "card"], errSecParam),
    ]
    for (request, expected) in requests {
      #expect(
        status { try thrown { SecKeyCreateRandomKey(request as CFDictionary, $0) } } == expected
      )
      #expect(SecKeyCreateRandomKey(request as CFDictionary, nil) == nil)
    }
  }

  @Test func bytesThatAreNoKeyAreRefused() throws {
    let whole = try external(SampleKeys.curves[0])
    let half = try external(publicHalf(SampleKeys.curves[0]))
    for bytes in [Data(), Data([4]), half.dropLast(), half + [0], whole, Data(count: 65)] {
      #expect(
        status { try key(bytes, kSecAttrKeyTypeEC, kSecAttrKeyClassPublic) } == errSecParam
      )
    }
    for bytes in [Data(), half, whole.dropLast(), whole + [0], Data(count: 97)] {
      #expect(
        status { try key(bytes, kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate) } == errSecParam
      )
      #expect(
        status { try key(bytes, kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate) } == errSecParam
      )
    }
    #expect(
      status { try key(whole, kSecAttrKeyTypeAES, kSecAttrKeyClassSymmetric) }
        == errSecUnimplemented
    )
    #expect(status { try key(whole, kSecAttrKeyTypeAES, kSecAttrKeyClassPrivate) } == errSecParam)
    #expect(status { try key(whole, kSecAttrKeyTypeEC, "7" as CFString) } == errSecParam)
    #expect(SecKeyCreateWithData(whole as CFData, [:] as CFDictionary, nil) == nil)
    let ofAToken =
      [
        kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
      ] as CFDictionary
    #expect(
      status { try thrown { SecKeyCreateWithData(whole as CFData, ofAToken, $0) } }
        == errSecUnimplemented
    )
  }
}
