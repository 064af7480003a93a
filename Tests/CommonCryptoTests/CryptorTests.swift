import CommonCrypto
import Foundation
import LocalAuthTestSupport
import Testing

/// A cipher in a mode, with padding where the mode takes it.
struct ModeCase: CustomTestStringConvertible, Sendable {
  let cipher: CipherCase
  let mode: Int
  let padding: Int
  var testDescription: String { "\(cipher.testDescription) \(mode) \(padding)" }
  var takesWholeBlocks: Bool { [kCCModeECB, kCCModeCBC].contains(mode) }

  static let all =
    CipherCase.blocks.flatMap { cipher in
      [
        (kCCModeECB, ccNoPadding), (kCCModeECB, ccPKCS7Padding), (kCCModeCBC, ccNoPadding),
        (kCCModeCBC, ccPKCS7Padding), (kCCModeCFB, ccNoPadding), (kCCModeCFB8, ccPKCS7Padding),
        (kCCModeOFB, ccNoPadding), (kCCModeCTR, ccPKCS7Padding),
      ].map { ModeCase(cipher: cipher, mode: $0, padding: $1) }
    } + [ModeCase(cipher: .rc4, mode: kCCModeRC4, padding: ccPKCS7Padding)]

  func cryptor(_ operation: Int, key: [UInt8], iv: [UInt8]?) throws -> Cryptor {
    try #require(
      Cryptor(operation, mode: mode, cipher.algorithm, padding: padding, key: key, iv: iv)
    )
  }
}

@Suite struct CryptorTests {
  @Test(arguments: ModeCase.all)
  func anyDivisionIntoPartsGivesTheSameResult(_ mode: ModeCase) throws {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    for _ in 0..<20 {
      let key = generator.bytes(mode.cipher.keySize)
      let iv = generator.bytes(mode.cipher.block)
      var count = Int.random(in: 0...300, using: &generator)
      if mode.takesWholeBlocks, mode.padding == ccNoPadding { count -= count % mode.cipher.block }
      let plain = generator.bytes(count)

      let sealed = try mode.cryptor(kCCEncrypt, key: key, iv: iv).run([plain])
      for most in [mode.cipher.block - 1, mode.cipher.block, 70] where most > 0 {
        let parts = generator.parts(of: plain, upTo: most)
        #expect(
          try mode.cryptor(kCCEncrypt, key: key, iv: iv).run(parts) == sealed,
          "SEED=\(seed)"
        )
        let pieces = generator.parts(of: sealed, upTo: most)
        #expect(
          try mode.cryptor(kCCDecrypt, key: key, iv: iv).run(pieces) == plain,
          "SEED=\(seed)"
        )
      }
    }
  }

  @Test(arguments: ModeCase.all)
  func theRoomThatIsForetoldIsEnoughAndOneByteLessIsNot(_ mode: ModeCase) throws {
    let key = [UInt8](repeating: 3, count: mode.cipher.keySize)
    let data = [UInt8](repeating: 5, count: 100)
    for operation in [kCCEncrypt, kCCDecrypt] {
      let cryptor = try mode.cryptor(operation, key: key, iv: nil)
      for count in [1, 7, 8, 9, 16, 31] {
        let needed = CCCryptorGetOutputLength(cryptor.ref, count, false)
        if needed > 0 {
          let refusal = cryptor.update(Array(data.prefix(count)), room: needed - 1)
          #expect(refusal.status == kCCBufferTooSmall && refusal.result == [UInt8(needed)])
        }
        let all = CCCryptorGetOutputLength(cryptor.ref, count, true)
        #expect(all >= needed)
        let part = cryptor.update(Array(data.prefix(count)), room: needed)
        #expect(part.status == kCCSuccess && part.result.count == needed)
      }
    }
  }

  @Test func theEndWaitsUntilThereIsRoom() throws {
    let key = [UInt8](0..<16)
    for plain in [[UInt8](0..<5), [UInt8](0..<21)] {
      let writer = try #require(
        Cryptor(
          kCCEncrypt,
          mode: kCCModeCBC,
          CCAlgorithm(kCCAlgorithmAES),
          padding: ccPKCS7Padding,
          key: key
        )
      )
      var sealed = writer.update(plain).result
      for room in [0, 15] {
        let refusal = writer.final(room: room)
        #expect(refusal.status == kCCBufferTooSmall && refusal.result == [16])
      }
      #expect(writer.update([1]).status == kCCCallSequenceError)
      var moved = 0
      #expect(CCCryptorFinal(writer.ref, nil, 16, &moved) == kCCParamError)
      sealed += writer.final().result
      #expect(sealed == crypt(kCCEncrypt, 0, options: 1, key: key, plain).result)

      let reader = try #require(
        Cryptor(
          kCCDecrypt,
          mode: kCCModeCBC,
          CCAlgorithm(kCCAlgorithmAES),
          padding: ccPKCS7Padding,
          key: key
        )
      )
      var opened = reader.update(sealed).result
      let refusal = reader.final(room: 4)
      #expect(refusal.status == kCCBufferTooSmall && refusal.result == [5])
      opened += reader.final(room: 5).result
      #expect(opened == plain)
    }
  }

  @Test(arguments: ModeCase.all)
  func worksInPlace(_ mode: ModeCase) throws {
    let key = [UInt8](repeating: 3, count: mode.cipher.keySize)
    let plain = [UInt8](0..<48)
    // What waits from the call before shifts what is written against what is read.
    for before in [0, 5, 8] {
      let parts = [Array(plain.prefix(before)), Array(plain.dropFirst(before))]
      let wanted = try mode.cryptor(kCCEncrypt, key: key, iv: nil)
      let apart = parts.map { wanted.update($0).result }

      let cryptor = try mode.cryptor(kCCEncrypt, key: key, iv: nil)
      #expect(cryptor.update(parts[0]).result == apart[0])
      var buffer = parts[1] + [UInt8](repeating: 0, count: 16)
      var moved = 0
      let status = buffer.withUnsafeMutableBytes {
        CCCryptorUpdate(
          cryptor.ref,
          $0.baseAddress,
          parts[1].count,
          $0.baseAddress,
          $0.count,
          &moved
        )
      }
      #expect(status == kCCSuccess && Array(buffer.prefix(moved)) == apart[1])
    }
  }

  @Test(arguments: ModeCase.all)
  func buffersMayOverlapAnyHow(_ mode: ModeCase) throws {
    let key = [UInt8](repeating: 3, count: mode.cipher.keySize)
    let plain = [UInt8](0..<48)
    let wanted = try mode.cryptor(kCCEncrypt, key: key, iv: nil).update(plain).result
    for (from, to) in [(0, 1), (1, 0), (0, 16), (20, 3), (0, 47), (0, 48)] {
      let cryptor = try mode.cryptor(kCCEncrypt, key: key, iv: nil)
      var buffer = [UInt8](repeating: 0, count: 120)
      buffer.replaceSubrange(from..<from + plain.count, with: plain)
      var moved = 0
      let status = buffer.withUnsafeMutableBytes {
        CCCryptorUpdate(
          cryptor.ref,
          $0.baseAddress?.advanced(by: from),
          plain.count,
          $0.baseAddress?.advanced(by: to),
          64,
          &moved
        )
      }
      #expect(status == kCCSuccess && Array(buffer[to..<to + moved]) == wanted)
    }
  }

  @Test(arguments: ModeCase.all)
  func onlyTheModesWithAVectorOfTheirOwnBeginAnew(_ mode: ModeCase) throws {
    let key = [UInt8](repeating: 3, count: mode.cipher.keySize)
    let iv = [UInt8](repeating: 9, count: mode.cipher.block)
    let data = [UInt8](repeating: 5, count: 32)
    let cryptor = try mode.cryptor(kCCEncrypt, key: key, iv: iv)
    let first = cryptor.update(data).result
    _ = cryptor.update([1, 2, 3])
    guard [kCCModeCBC, kCCModeCTR].contains(mode.mode) else {
      #expect(CCCryptorReset(cryptor.ref, iv) == kCCUnimplemented)
      return
    }
    #expect(CCCryptorReset(cryptor.ref, iv) == kCCSuccess)
    #expect(cryptor.update(data).result == first)
    #expect(CCCryptorReset(cryptor.ref, nil) == kCCSuccess)
    let zero = try mode.cryptor(kCCEncrypt, key: key, iv: nil).update(data).result
    #expect(cryptor.update(data).result == zero && zero != first)
  }

  @Test func decryptionBeginsAnewToo() throws {
    let key = [UInt8](0..<16)
    let iv = [UInt8](repeating: 9, count: 16)
    let plain = [UInt8](0..<20)
    let sealed = crypt(kCCEncrypt, 0, options: 1, key: key, iv: iv, plain).result
    let reader = try #require(
      Cryptor(
        kCCDecrypt,
        mode: kCCModeCBC,
        CCAlgorithm(kCCAlgorithmAES),
        padding: ccPKCS7Padding,
        key: key
      )
    )
    for _ in 0..<2 {
      #expect(CCCryptorReset(reader.ref, iv) == kCCSuccess)
      #expect(reader.run([sealed]) == plain)
      _ = reader.update([1, 2, 3])
    }
  }

  @Test func livesInMemoryOfTheCallers() {
    let key = [UInt8](0..<16)
    let plain = [UInt8](0..<20)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: kCCContextSizeAES128, alignment: 16)
    defer { memory.deallocate() }
    for shift in 0..<9 {
      var ref: CCCryptorRef?
      var used = 0
      func create(_ size: Int) -> CCCryptorStatus {
        CCCryptorCreateFromData(
          CCOperation(kCCEncrypt),
          CCAlgorithm(kCCAlgorithmAES),
          CCOptions(kCCOptionPKCS7Padding),
          key,
          key.count,
          nil,
          memory + shift,
          size,
          &ref,
          &used
        )
      }
      #expect(create(0) == kCCBufferTooSmall && ref == nil)
      #expect(used > 0 && used <= 24)
      #expect(create(used - 1) == kCCBufferTooSmall)
      #expect(create(used) == kCCSuccess)

      var result = [UInt8](repeating: 0, count: 48)
      var updated = 0
      var finished = 0
      #expect(CCCryptorGetOutputLength(ref, plain.count, true) == 32)
      #expect(CCCryptorUpdate(ref, plain, plain.count, &result, 48, &updated) == kCCSuccess)
      result.withUnsafeMutableBytes {
        let rest = $0.baseAddress?.advanced(by: updated)
        #expect(CCCryptorFinal(ref, rest, 48 - updated, &finished) == kCCSuccess)
      }
      #expect(
        Array(result.prefix(updated + finished))
          == crypt(kCCEncrypt, 0, options: 1, key: key, plain).result
      )
      #expect(CCCryptorRelease(ref) == kCCSuccess)
    }
  }

  /// From cold, so that all look the ciphers up at once.
  @Test func manyThreadsUseManyCryptors() {
    let plain = [UInt8](repeating: 4, count: 100)
    DispatchQueue.concurrentPerform(iterations: 64) { index in
      for cipher in CipherCase.blocks + [.rc4] {
        let key = [UInt8](repeating: 3, count: cipher.keySize)
        let sealed = crypt(kCCEncrypt, Int(cipher.algorithm), options: 1, key: key, plain)
        let opened = crypt(kCCDecrypt, Int(cipher.algorithm), options: 1, key: key, sealed.result)
        if opened.status != kCCSuccess || opened.result != plain {
          Issue.record("\(cipher.testDescription) in iteration \(index)")
        }
      }
    }
  }
}
