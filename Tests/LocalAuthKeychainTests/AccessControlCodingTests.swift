import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@Suite struct AccessControlCodingTests {
  private static func legal() throws -> [AccessControl] {
    let flags: [AccessControlFlags] = [
      [], .or, .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
      [.biometryCurrentSet, .or, .devicePasscode], [.privateKeyUsage, .biometryAny],
      [.applicationPassword, .userPresence], [.biometryAny, .and, .devicePasscode],
      [.biometryAny, .eachUse], [.userPresence, .eachUse, .privateKeyUsage],
    ]
    return try ProtectionClass.allCases.flatMap { protection in
      try flags.flatMap { flags -> [AccessControl] in
        let control = try AccessControl(protection, flags: flags)
        return [control, try control.bound(to: .full)]
      }
    }
  }

  @Test func theRoundTripPreservesEquality() throws {
    for control in try Self.legal() {
      #expect(try AccessControl(bytes: control.bytes) == control)
    }
  }

  @Test func differentOnesHaveDifferentBytes() throws {
    let all = try Set(Self.legal())
    #expect(Set(all.map(\.bytes)).count == all.count)
  }

  @Test func askingAtEachUseIsOneBitAndChangesNoOther() throws {
    let once = try AccessControl(.whenUnlocked, flags: .biometryAny).bound(to: .full)
    #expect(once.bytes == [1, 0, 0, 0, 0, 2, 1])
    let each = try AccessControl(.whenUnlocked, flags: [.biometryAny, .eachUse]).bound(to: .full)
    #expect(each.bytes == [1, 0, 1, 0, 0, 2, 1])
    #expect(each.asksAtEachUse && !once.asksAtEachUse)
  }

  @Test func trailingBytesAreUndecodable() throws {
    for control in try Self.legal() {
      for extra: [UInt8] in [[0], [1, 2, 3], [UInt8](repeating: 0, count: 8)] {
        let result = status { () throws(KeychainError) in
          try AccessControl(bytes: control.bytes + extra)
        }
        #expect(result == .decode)
      }
    }
  }

  @Test func everyTruncationIsUndecodable() throws {
    for control in try Self.legal() {
      for count in 0..<control.bytes.count {
        let bytes = Array(control.bytes.prefix(count))
        #expect(status { () throws(KeychainError) in try AccessControl(bytes: bytes) } == .decode)
      }
    }
  }

  @Test func whatCouldNotHaveBeenMadeIsUndecodable() throws {
    let head: [UInt8] = [1, 0]
    let bad: [[UInt8]] = [
      head + [0, 0, 0xC0, 0, 1],  // or and and
      head + [1, 0, 0, 0, 1],  // at each use of nothing
      head + [0, 0, 0, 0x0A, 0],  // both kinds of biometry
      head + [0, 0, 0, 0x04, 1],  // a bit that means nothing
      head + [0, 0, 0, 0x08, 1],  // the current set, bound to none
      head + [0, 0, 0, 0x02, 2, 0, 0, 0, 0, 0, 0, 0, 1],  // any finger, bound to a set
      head + [0, 0, 0, 0, 0],  // trivial and not bound
      [2, 0, 0, 0, 0, 0, 1], [1, 7, 0, 0, 0, 0, 1], head + [0, 0, 0, 0, 3],
    ]
    for bytes in bad {
      #expect(status { () throws(KeychainError) in try AccessControl(bytes: bytes) } == .decode)
    }
  }

  @Test func anyBytesAtAllAreRefusedOrComeBackAsTheyAre() {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...18, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if count > 6, Bool.random(using: &random) {
        bytes.replaceSubrange(0..<5, with: [1, bytes[1] % 8, bytes[2] & 0xC0, 0, bytes[4] & 0xC0])
        bytes[6] %= 4
      }
      guard let control = try? AccessControl(bytes: bytes) else { continue }
      #expect(control.bytes == bytes, "seed \(random.seed)")
    }
  }
}
