import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSecret

func bytes(_ secret: borrowing Secret) -> [UInt8] {
  unsafe secret.withUnsafeBytes { unsafe Array($0) }
}

func secret(_ bytes: [UInt8]) -> Secret {
  var made = Secret(capacity: bytes.count)
  for byte in bytes { _ = made.append(byte) }
  return made
}

/// The whole capacity, used or not.
func wholeContent(_ secret: inout Secret) -> [UInt8] {
  unsafe secret.withUnsafeMutableBytes { whole, _ in unsafe Array(whole) }
}

@Suite struct SecretTests {
  @Test func beginsEmptyAndZeroFilled() {
    var fresh = Secret(capacity: 100)
    #expect([fresh.count, fresh.capacity] == [0, 100])
    let content = wholeContent(&fresh)
    #expect(content == [UInt8](repeating: 0, count: 100))
  }

  @Test(arguments: [0, 1, 47, 48, 49, 4079, 4080, 4081, 100_000])
  func holdsWhatItWasMadeFrom(size: Int) {
    let source = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let made = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
    defer { unsafe made.deallocate() }
    unsafe made.copyBytes(from: source)
    let copied = unsafe Secret(copying: UnsafeRawBufferPointer(made))
    #expect([copied.count, copied.capacity] == [size, size])
    #expect(bytes(copied) == source)
  }

  @Test func appendsUntilFullAndThenRefuses() {
    var typed = Secret(capacity: 2)
    let answers = [typed.append(1), typed.append(2), typed.append(3)]
    #expect(answers == [true, true, false])
    #expect(bytes(typed) == [1, 2])
  }

  @Test func removingTheLastByteWipesIt() {
    var typed = secret([1, 2, 3])
    typed.removeLast()
    let whole = wholeContent(&typed)
    #expect(whole == [1, 2, 0])
    #expect([typed.count] == [2])
  }

  @Test func removingFromAnEmptySecretDoesNothing() {
    var empty = Secret(capacity: 4)
    empty.removeLast()
    empty.removeAll()
    #expect([empty.count] == [0])
  }

  @Test func removingAllWipesEverything() {
    var typed = secret([1, 2, 3])
    typed.removeAll()
    let whole = wholeContent(&typed)
    #expect(whole == [0, 0, 0])
    #expect([typed.count] == [0])
  }

  @Test func bytesBeyondTheNewCountAreWiped() {
    var filled = Secret(capacity: 4)
    unsafe filled.withUnsafeMutableBytes { whole, count in
      unsafe whole.copyBytes(from: [1, 2, 3, 4])
      count = 2
    }
    #expect(bytes(filled) == [1, 2])
    let whole = wholeContent(&filled)
    #expect(whole == [1, 2, 0, 0])
  }

  @Test func aThrowingBodyKeepsItsCountAndItsError() {
    struct Refused: Error {}
    var filled = Secret(capacity: 4)
    do {
      try unsafe filled.withUnsafeMutableBytes { whole, count throws(Refused) in
        unsafe whole.copyBytes(from: [9, 9, 9, 9])
        count = 1
        throw Refused()
      }
      Issue.record("the error was lost")
    } catch {}
    #expect(bytes(filled) == [9])
  }

  @Test func equalOnlyWhenEveryByteAgrees() {
    let size = 33
    let original = [UInt8](repeating: 7, count: size)
    #expect(areEqual(original, original))
    #expect(areEqual([], []))
    for place in 0..<size {
      for bit in 0..<8 {
        var changed = original
        changed[place] ^= 1 << UInt8(bit)
        #expect(!areEqual(original, changed))
      }
    }
    #expect(!areEqual(original, original.dropLast()))
    #expect(!areEqual(original, original + [0]))
  }

  private func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    secret(left).isEqual(to: secret(right))
  }

  @Test func contentIsAlignedForVectorInstructions() {
    for size in [1, 40, 500, 5000] {
      let made = Secret(capacity: size)
      let address = unsafe made.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
      #expect(address % 16 == 0)
    }
  }

  @Test func aForkedChildInheritsEmptySecrets() throws {
    let made = secret([1, 2, 3, 4])
    let child = forkAndReturnCount(made)
    var status: Int32 = 0
    try #require(unsafe waitpid(child, &status, 0) == child)
    #expect(status == 0, "the child exits 0 only when it saw no bytes")
  }
}
