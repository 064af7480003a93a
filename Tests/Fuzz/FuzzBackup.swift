import LocalAuthBackup
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret

/// Whatever a backup is made into, reading it ends, and whoever does not know its password gets nothing into it.
///
/// The first byte says what the rest is: a whole backup; changes of one, three bytes each, a place and what is there; or
/// the records inside of the chunks, which only somebody who knows the password can make up.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBackup(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let kind = bytes.first else { return 0 }
  let rest = Array(bytes.dropFirst())
  switch kind % 3 {
  case 0: _ = readsWhole(rest)
  case 1:
    let backup = changed(rest)
    precondition(backup == sample || !readsWhole(backup), "a changed backup is whole")
  default: readRecords(rest)
  }
  return 0
}

private let device = DeviceIdentity(owner: 1000, name: "desk")
private let cipher = BackupCipher(.generate(), cost: .minimum, floor: .minimum, kibibytesMax: 64)

private func item(_ number: UInt64) -> Item {
  Item(
    identifier: ItemIdentifier(high: 1, low: number),
    itemClass: .genericPassword,
    group: "local",
    accessControl: AccessControl(.whenUnlocked),
    created: WallInstant(milliseconds: 1),
    modified: WallInstant(milliseconds: 2),
    attributes: [.account: .text("account \(number)")],
    hasData: true
  )
}

/// A backup for one device, of two chunks.
private let sample: [UInt8] = {
  guard
    let writer = try? cipher.begin(
      password: nil,
      of: device,
      at: WallInstant(milliseconds: 3)
    )
  else { fatalError("no backup can be begun") }
  var counts = BackupCounts()
  for number in 0..<3 {
    let data: Secret? = Secret(copying: [UInt8](repeating: 7, count: 30_000))
    let isAdded = writer.add(item(UInt64(number)), data: data, under: .whenUnlocked)
    precondition(isAdded, "an item is added")
    counts.add(.included(under: .whenUnlocked), .whenUnlocked)
  }
  let (rest, header) = writer.finish(counts)
  return header.bytes + rest.flatMap { $0 }
}()

private func changed(_ changes: [UInt8]) -> [UInt8] {
  var backup = sample
  for start in stride(from: 0, to: changes.count - 2, by: 3) {
    let change = changes[start + 2]
    let place =
      (Int(changes[start]) << 9 | Int(changes[start + 1]) << 1 | Int(change & 1)) % backup.count
    if change == 0 { backup = Array(backup.prefix(max(1, place))) } else { backup[place] ^= change }
  }
  return backup
}

private func readsWhole(_ backup: [UInt8]) -> Bool {
  let header = Array(backup.prefix(BackupFormat.headerSize))
  let password: Secret? = Secret(copying: Array("a password of some length".utf8))
  guard backup.count >= BackupFormat.leastSize,
    let reader = try? cipher.open(header, password: password, on: device)
  else { return false }
  let end = backup.count - BackupFormat.trailerSize
  do throws(BackupError) {
    for start in stride(from: BackupFormat.headerSize, to: end, by: BackupFormat.chunkSize) {
      let chunk = Array(backup[start..<min(start + BackupFormat.chunkSize, end)])
      for case .item(let record) in try reader.read(chunk) { _ = reader.open(record) }
    }
    try reader.finish(Array(backup[end...]))
    return true
  } catch { return false }
}

/// Reads records in pieces, and decides about what opens of them.
private func readRecords(_ content: [UInt8]) {
  var records = BackupRecords()
  let plan = RestorePlan(.merge, groups: AccessGroups(["local"]))
  var left = content[...]
  while !left.isEmpty {
    let size = Int(left.removeFirst()) + 1
    records.add(Array(left.prefix(size)))
    left = left.dropFirst(size)
    do throws(BackupError) {
      while let entry = try records.takeNext() {
        guard case .item(let record) = entry else { continue }
        precondition(record.bytes.count <= content.count, "a record is larger than what was read")
        // As if somebody who knows the password had sealed it.
        guard let attributes = BackupRecord.attributes(in: record.sealed),
          let item = try? Item(bytes: Array(record.sealed[attributes]))
        else { continue }
        _ = plan.decide(.item(item), sealedUnder: ProtectionClass(code: record.protectionCode))
      }
    } catch { return }
  }
}
