import LocalAuthBackup
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import Testing

/// What comes back of a backup, where, and with what.
@Suite struct BackupRoundTripTests {
  private let rig = BackupRig()
  private static let classes = BackupHeader.classes

  private var items: [Item] {
    Self.classes.enumerated().map { index, protection in
      BackupRig.item(protection.rawValue, protection, number: UInt64(index))
    }
  }

  @Test(arguments: [false, true])
  func everyItemComesBackOnTheSameDevice(_ isDeviceOnly: Bool) throws {
    let backup = try rig.make(items, isDeviceOnly: isDeviceOnly)
    let content = try rig.read(backup, password: isDeviceOnly ? nil : BackupRig.password)
    #expect(content.reads == items.map { .item($0) })
    #expect(content.data == items.map { BackupRig.account(of: $0) })
    #expect(content.header?.counts.total == 6)
    #expect(content.header?.label == "desk")
  }

  @Test func anotherInstallationOpensWhatMayLeaveTheDevice() throws {
    let backup = try rig.make(items)
    let content = try BackupRig().read(backup)
    #expect(
      content.reads
        == items.map { $0.accessControl.protection.isThisDeviceOnly ? .otherDevice : .item($0) }
    )
    #expect(content.data.count == 3)
  }

  @Test func anotherDeviceOfTheSameInstallationIsAnotherDevice() throws {
    let key = DeviceKey.generate()
    let backup = try BackupRig(key).make(items)
    let content = try BackupRig(key, device: "shelf").read(backup)
    #expect(content.reads.count { $0 == .otherDevice } == 3)
    #expect(try BackupRig(key).read(backup).reads.count { $0 == .otherDevice } == 0)
  }

  @Test func anotherDeviceOpensNothingOfABackupForOne() throws {
    let backup = try rig.make(items, isDeviceOnly: true)
    #expect(BackupRig().refusal(of: backup, password: nil) == .otherDevice)
    // A password is no way around it.
    #expect(BackupRig().refusal(of: backup) == .otherDevice)
    #expect(rig.refusal(of: backup) == nil)
  }

  @Test func aBackupWithNothingInItIsWhole() throws {
    let backup = try rig.make([])
    #expect(backup.count == BackupFormat.leastSize)
    #expect(try rig.read(backup).reads.isEmpty)
  }

  @Test(arguments: [1, 65_535, 65_536, 65_537, 200_000])
  func itemsOfEverySizeCrossChunks(_ size: Int) throws {
    let secret = [UInt8](repeating: 7, count: size)
    let backup = try rig.make([items[0], items[1], items[2]], secret: secret)
    #expect(try rig.read(backup).data == [secret, secret, secret])
  }

  @Test func anItemThatIsTooLargeIsNotAdded() throws {
    let writer = try rig.begin()
    let data: Secret? = Secret(copying: [UInt8](repeating: 0, count: BackupFormat.recordMax))
    let isLargeAdded = writer.add(items[0], data: data, under: .whenUnlocked)
    #expect(!isLargeAdded)
    // An item that says it has data has some.
    let isEmptyAdded = writer.add(items[0], data: nil, under: .whenUnlocked)
    #expect(!isEmptyAdded)
  }

  @Test func noSecretAndNoAttributeIsReadable() throws {
    let item = BackupRig.item("a-rare-account-name")
    let backup = try rig.make([item], secret: Array("a-rare-secret".utf8))
    for text in ["a-rare-account-name", "a-rare-secret", "shop", "local"] {
      #expect(!backup.contains(Array(text.utf8)), "\(text)")
    }
  }

  @Test func twoBackupsOfTheSameItemsHaveNothingInCommon() throws {
    let (first, second) = (try rig.make(items), try rig.make(items))
    #expect(first.count == second.count)
    let header = BackupFormat.headerSize
    let equal = zip(first[header...], second[header...]).count { $0 == $1 }
    // By chance one byte of 256 is.
    #expect(equal < (first.count - header) / 32)
  }
}
