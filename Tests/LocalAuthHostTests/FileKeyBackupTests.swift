import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthService

/// What opens protected files, in backups: files that were copied open on another device.
@Suite struct FileKeyBackupTests {
  /// The key of a file, as a test compares it.
  private typealias Made = (wrapped: WrappedFileKey, key: [UInt8])

  private func make(_ protection: FileProtection, on rig: KeychainRig) throws -> Made {
    let made = try rig.engine.makeFileKey(
      protection,
      on: "sim",
      allowsSimulated: true,
      caller: rig.caller
    )
    return (made.wrapped, try bytes(of: made.key))
  }

  private func makeAll(on rig: KeychainRig) throws -> [Made] {
    try FileProtection.allCases.map { try make($0, on: rig) }
  }

  private func open(_ wrapped: WrappedFileKey, on rig: KeychainRig) throws -> [UInt8] {
    try bytes(
      of: rig.engine.openFileKey(wrapped, on: "sim", allowsSimulated: true, caller: rig.caller)
    )
  }

  private func bytes(of box: SecretBox) throws -> [UInt8] {
    guard let secret = box.take() else { throw EngineError.internalError("it was taken") }
    // SAFETY: the bytes are copied within the call.
    return unsafe secret.withUnsafeBytes { unsafe Array($0) }
  }

  private func expect(_ files: [Made], openOn rig: KeychainRig) throws {
    for file in files { #expect(try open(file.wrapped, on: rig) == file.key) }
  }

  private func vault(of rig: KeychainRig) throws -> any KeyVault {
    try #require(rig.engine.devices.values.first).vault
  }

  @Test func filesOfTheOldDeviceOpenOnTheNewOne() throws {
    let (old, new) = (try KeychainRig(), try KeychainRig())
    let files = try makeAll(on: old)
    for file in files { #expect(throws: EngineError.self) { try open(file.wrapped, on: new) } }
    let backup = try old.backup(openingFiles: "1234")
    let header = try BackupHeader(unverified: Array(backup.prefix(BackupFormat.headerSize)))
    #expect(header.counts.fileKeys == 4 && header.counts.total == 4)
    #expect(try new.bring(backup, for: .preview(.merge)).report.fates == [.restored: 4])
    #expect(throws: EngineError.self) { try open(files[0].wrapped, on: new) }
    #expect(try new.merge(backup).fates == [.restored: 4])
    try expect(files, openOn: new)
    #expect(try new.merge(backup).fates == [.older: 4])
    try expect(try makeAll(on: new), openOn: new)
    #expect(try old.merge(backup).fates == [.older: 4], "it has them by itself")
    #expect(try old.itemCount == 0)
  }

  /// Whoever has such a backup and its password can open all files, also locked ones and those to come.
  @Test func whatOpensFilesTakesThePasscode() throws {
    let (old, new) = (try KeychainRig(), try KeychainRig())
    let file = try make(.complete, on: old)
    #expect(throws: EngineError.passcodeRequired) { try old.backup(openingFiles: .some(nil)) }
    #expect(old.refusal { _ = try old.backup(openingFiles: "9999") } == .authenticationFailed)
    #expect(old.refusal { _ = try old.backup(openingFiles: "9998") } == .authenticationFailed)
    let without = try old.backup()
    #expect(try new.merge(without).fates.isEmpty)
    #expect(throws: EngineError.self) { try open(file.wrapped, on: new) }
  }

  @Test func aDeviceWithoutPasscodeIsAskedForNone() throws {
    let (old, new) = (try KeychainRig(passcode: nil), try KeychainRig())
    let files = try makeAll(on: old)
    #expect(try new.merge(try old.backup(openingFiles: .some(nil))).fates == [.restored: 4])
    try expect(files, openOn: new)
  }

  @Test func theLockOfTheNewDeviceCountsForThem() throws {
    let (old, new) = (try KeychainRig(), try KeychainRig())
    let files = try makeAll(on: old)
    _ = try new.merge(try old.backup(openingFiles: "1234"))
    try new.lock()
    new.clock.pass(.seconds(11))
    for file in files {
      let opensLocked = file.wrapped.protection.protectionClass != .whenUnlocked
      let key = try? open(file.wrapped, on: new)
      #expect(key == (opensLocked ? file.key : nil), "\(file.wrapped.protection)")
    }
    try new.unlock()
    try expect(files, openOn: new)
  }

  @Test func theNextBackupCarriesThemOn() throws {
    let rigs = try (0..<3).map { _ in try KeychainRig() }
    let files = try makeAll(on: rigs[0])
    _ = try rigs[1].merge(try rigs[0].backup(openingFiles: "1234"))
    let more = try makeAll(on: rigs[1])
    let backup = try rigs[1].backup(openingFiles: "1234")
    #expect(try rigs[2].merge(backup).fates == [.restored: 8])
    try expect(files + more, openOn: rigs[2])
    #expect(try rigs[0].merge(backup).fates == [.older: 4, .restored: 4])
    try expect(files + more, openOn: rigs[0])
  }

  @Test func nobodySeesThemAmongTheItems() throws {
    let (old, new) = (try KeychainRig(), try KeychainRig())
    _ = try new.merge(try old.backup(openingFiles: "1234"))
    #expect(try new.itemCount == 4)
    let all: QueryDictionary = ["class": .text("genp"), "m_Limit": .text("m_LimitAll")]
    #expect(new.call(.copy(all, after: nil)).items.isEmpty)
    #expect(new.call(.delete(["class": .text("genp")])).error == .itemNotFound)
    let report = try new.bring(
      try old.backup(),
      for: .restore(.replace),
      passcode: "1234",
      deaths: 0
    ).report
    #expect(report.deaths == 0)
    #expect(try new.itemCount == 4, "what replaces a keychain leaves them")
  }

  @Test func aChangedFileOrOneOfAnotherDeviceIsRefusedAsBefore() throws {
    let (old, new, other) = (try KeychainRig(), try KeychainRig(), try KeychainRig())
    _ = try new.merge(try old.backup(openingFiles: "1234"))
    for protection in FileProtection.allCases {
      let file = try make(protection, on: old).wrapped
      for index in file.bytes.indices {
        var bytes = file.bytes
        bytes[index] ^= 1
        let changed = try #require(
          WrappedFileKey(protection, identifier: file.identifier, bytes: bytes)
        )
        #expect(throws: EngineError.self) { try open(changed, on: new) }
      }
      let foreign = try make(protection, on: other).wrapped
      #expect(throws: EngineError.self) { try open(foreign, on: new) }
    }
  }

  // MARK: Made up

  @Test func whatSomebodyMadeUpOpensNothing() throws {
    let (old, new) = (try KeychainRig(), try KeychainRig())
    let held = try #require(try vault(of: old).fileProtectionKey(.afterFirstUnlock))
    let key = try bytes(of: held.key)
    let service = "keys of files"
    let honest = "after-first-unlock \(held.name)"
    var other = key
    other[10] ^= 1
    let cases: [(account: String, data: [UInt8], under: ProtectionClass, fate: RestoreFate)] = [
      (honest, other, .afterFirstUnlock, .damaged), (honest, [], .afterFirstUnlock, .damaged),
      (honest, Array(key.prefix(34)), .afterFirstUnlock, .damaged),
      (honest, key + [UInt8](repeating: 1, count: 1025), .afterFirstUnlock, .damaged),
      (honest, [2] + key.dropFirst(), .afterFirstUnlock, .damaged),
      ("complete \(held.name)", key, .whenUnlocked, .damaged),
      ("after-first-unlock 00", key, .afterFirstUnlock, .damaged),
      // An account or a class that no such key has.
      (honest, key, .always, .skipped), ("complete", key, .afterFirstUnlock, .skipped),
      ("often \(held.name)", key, .afterFirstUnlock, .skipped),
    ]
    let before = try new.rows()
    for (number, made) in cases.enumerated() {
      let backup = try new.crafted([(service, made.account, made.data)], under: made.under)
      #expect(try new.merge(backup).fates == [made.fate: 1], "case \(number)")
      #expect(try new.rows() == before, "case \(number)")
    }
    let backup = try new.crafted([(service, honest, key), (service, honest, key)])
    #expect(try new.merge(backup).fates == [.restored: 1, .skipped: 1])
    try expect([make(.afterFirstUnlock, on: old)], openOn: new)
  }

  /// Each file that is not this device's is tried with all of them.
  @Test func aDeviceKeepsSoManyAndNoMore() throws {
    let (old, new) = (try KeychainRig(), try KeychainRig())
    let key = try bytes(of: try #require(try vault(of: old).fileProtectionKey(.always)).key)
    let vault = try vault(of: new)
    let items = try (0..<CarriedFileKey.countMax + 3).map { number in
      let other = key + Array("\(number)".utf8)
      let secret = Secret(copying: other)
      guard let name = vault.name(of: secret, opening: .always) else {
        throw EngineError.internalError("that is a key")
      }
      return (service: "keys of files", account: "none \(name)", data: other)
    }
    let report = try new.merge(try new.crafted(items, under: .always))
    #expect(report.fates == [.restored: CarriedFileKey.countMax, .skipped: 3])
    let more = try old.backup(openingFiles: "1234")
    #expect(try new.merge(more).fates == [.skipped: 4])
  }
}
