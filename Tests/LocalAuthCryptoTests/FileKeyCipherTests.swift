import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import Testing

@testable import LocalAuthCrypto

@Suite struct FileKeyCipherTests {
  /// One installation's keys, and what is asked of them, in bytes that a test can compare.
  private final class Rig {
    private let keys: ClassKeys

    init(_ classes: ProtectionClassSet = .all) { keys = ClassKeys.generate(for: classes) }

    private func label(_ name: String) -> DeviceLabel {
      DeviceLabel(DeviceIdentity(owner: 1000, name: name))
    }

    func make(_ protection: FileProtection) -> (key: [UInt8], wrapped: WrappedFileKey)? {
      guard let cipher = FileKeyCipher(keys, protection, of: label("desk")),
        let made = cipher.makeKey(), let key = made.key.take()
      else { return nil }
      return (bytes(of: key), made.wrapped)
    }

    func open(
      _ wrapped: WrappedFileKey,
      as protection: FileProtection,
      of name: String = "desk"
    )
      -> [UInt8]?
    {
      guard let cipher = FileKeyCipher(keys, protection, of: label(name)),
        let key = cipher.open(wrapped)
      else { return nil }
      return bytes(of: key)
    }

    private func bytes(of secret: borrowing Secret) -> [UInt8] {
      // SAFETY: the bytes are copied within the call.
      unsafe secret.withUnsafeBytes { unsafe Array($0) }
    }
  }

  private let rig = Rig()

  @Test(arguments: FileProtection.allCases.filter { $0 != .completeUnlessOpen })
  func keyComesBack(_ protection: FileProtection) throws {
    let made = try #require(rig.make(protection))
    #expect(made.key.count == 32)
    #expect(made.wrapped.protection == protection)
    #expect(rig.open(made.wrapped, as: protection) == made.key)
  }

  @Test func everyFileHasItsOwnKeyAndIdentifier() throws {
    let (one, other) = (try #require(rig.make(.complete)), try #require(rig.make(.complete)))
    #expect(one.key != other.key)
    #expect(one.wrapped.identifier != other.wrapped.identifier)
  }

  @Test func wrappedKeyIsBoundToFileClassAndDevice() throws {
    let made = try #require(rig.make(.complete)).wrapped
    var identifier = made.identifier
    identifier[3] ^= 1
    let moved = try #require(WrappedFileKey(.complete, identifier: identifier, bytes: made.bytes))
    #expect(rig.open(moved, as: .complete) == nil)
    for protection in [FileProtection.afterFirstUnlock, .always] {
      let edited = try #require(
        WrappedFileKey(protection, identifier: made.identifier, bytes: made.bytes)
      )
      #expect(rig.open(edited, as: .complete) == nil)
      #expect(rig.open(edited, as: protection) == nil)
    }
    #expect(rig.open(made, as: .complete, of: "lap") == nil)
    #expect(Rig().open(made, as: .complete) == nil)
  }

  @Test func noFlippedBitOfAWrappedKeyOpens() throws {
    let made = try #require(rig.make(.complete)).wrapped
    for bit in 0..<(made.bytes.count * 8) {
      var bytes = made.bytes
      bytes[bit / 8] ^= 1 << (bit % 8)
      let damaged = try #require(
        WrappedFileKey(.complete, identifier: made.identifier, bytes: bytes)
      )
      #expect(rig.open(damaged, as: .complete) == nil)
    }
    #expect(
      rig.open(
        try #require(WrappedFileKey(.complete, identifier: made.identifier, bytes: [])),
        as: .complete
      ) == nil
    )
    #expect(WrappedFileKey(.complete, identifier: [1], bytes: made.bytes) == nil)
  }

  @Test func withoutTheClassKeyThereIsNoKey() {
    let locked = Rig(.always)
    #expect(locked.make(.complete) == nil)
    #expect(locked.make(.afterFirstUnlock) == nil)
    #expect(locked.make(.always) != nil)
  }
}
