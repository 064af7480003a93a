import Security
import Testing

/// Random bytes as a client asks for them.
@Suite struct RandomBytesTests {
  @Test func thirtyTwoBytesAreThereAndNoTwoAreAlike() throws {
    func random() throws -> Data {
      var bytes = Data(count: 32)
      let status = bytes.withUnsafeMutableBytes { buffer in
        SecRandomCopyBytes(kSecRandomDefault, buffer.count, buffer.baseAddress!)
      }
      try #require(status == errSecSuccess)
      return bytes
    }
    #expect(try random() != random())
  }
}
