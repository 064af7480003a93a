import LocalAuthKeychain
import Security
import Testing

@Suite struct StatusTests {
  /// A status as its source declares it.
  private struct Status {
    let name: String
    let code: OSStatus
    let comment: String
  }

  private static func declared() throws -> [Status] {
    let pattern = #/\/\/\/ ([^\n]+)\npublic let (errS\w+): OSStatus = (-?[0-9_]+)\n/#
    return try SourceText.files(in: "LocalAuthSecurity").values.flatMap { text in
      try text.matches(of: pattern).map { match in
        let number = match.output.3.filter { $0 != "_" }
        return Status(
          name: String(match.output.2),
          code: try #require(OSStatus(number)),
          comment: String(match.output.1)
        )
      }
    }
  }

  private func message(_ status: OSStatus) -> String? { SecCopyErrorMessageString(status, nil) }

  @Test func everyStatusHasItsSentence() throws {
    let statuses = try Self.declared()
    #expect(statuses.filter { $0.name.hasPrefix("errSec") }.count == 381)
    #expect(statuses.filter { $0.name.hasPrefix("errSSL") }.count == 74)
    for status in statuses {
      #expect(message(status.code) == status.comment, "\(status.name)")
    }
  }

  @Test func noTwoStatusesHaveTheSameNumber() throws {
    let statuses = try Self.declared()
    #expect(Set(statuses.map(\.code)).count == statuses.count)
  }

  /// The keychain's own statuses have the names that Apple publishes, but for two.
  @Test func theKeychainsStatusesAreAmongThem() throws {
    let codes = Dictionary(uniqueKeysWithValues: try Self.declared().map { ($0.name, $0.code) })
    for status in KeychainStatus.allCases
    where ![.internalFailure, .upgradePending].contains(status) {
      #expect(codes[status.symbol] == status.rawValue)
    }
    for status in KeychainStatus.allCases {
      #expect(message(status.rawValue) == status.message)
    }
  }

  @Test(arguments: [-1, 1, -25_298 - 3_000, .min, .max] as [OSStatus])
  func anUnknownStatusIsItsNumber(status: OSStatus) {
    #expect(message(status) == "OSStatus \(status)")
  }

  @Test func numbersAreApples() {
    #expect(noErr == 0)
    #expect(errSecSuccess == noErr)
    #expect(errSecParam == -50)
    #expect(errSecDskFull == -34)
    #expect(errSecMissingEntitlement == -34_018)
    #expect(errSecServiceNotAvailable == -67_585)
    #expect(errSecInvalidAttributeKey == -67_748)
    #expect(errSecCertificateExpired == -67_818)
    #expect(errSecMissingQualifiedCertStatement == -67_904)
    #expect(errSSLEarlyDataRejected == -9_890)
  }
}
