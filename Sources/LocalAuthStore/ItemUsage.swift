import LocalAuthCore

/// How much of their quota of items the users have taken, inside the caller's transactions.
///
/// A user's items are counted once, by the first commit that changes them, and from then on with each change. The
/// service's own keys are not the user's.
struct ItemUsage: ~Copyable {
  private struct Amount {
    var items: Int64 = 0
    var bytes: Int64 = 0
  }

  private let quota: UserQuota
  private let sum: Statement
  /// What is durable, of the users that were counted.
  private var durable: [UInt32: Amount] = [:]
  /// What the transaction under way makes of it.
  private var changed: [UInt32: Amount] = [:]

  /// Prepares the statement on `database`.
  init(_ database: borrowing Database, _ quota: UserQuota) throws(StorageError) {
    self.quota = quota
    sum = try database.prepare(
      """
      SELECT count(*), coalesce(sum(length(terms) + length(access_control) + length(wrapped_key)
        + length(attributes) + coalesce(length(secret), 0)), 0)
      FROM item WHERE keychain IN
        (SELECT number FROM keychain WHERE owner = ?1 AND substr(name, 1, ?2) <> ?3)
      """
    )
  }

  /// Whether `device` has a quota that its items count against.
  private func counts(_ device: DeviceIdentity) -> Bool {
    (quota.itemsMax != nil || quota.itemBytesMax != nil) && !device.isReserved
  }

  /// Notes that an item of `device` comes (1) or goes (-1), before the row does.
  mutating func note(_ items: Int64, bytes: Int64, of device: DeviceIdentity) throws(StorageError) {
    guard counts(device) else { return }
    var amount = try amount(of: device.owner)
    amount.items += items
    amount.bytes += items * bytes
    changed[device.owner] = amount
  }

  /// Counts the items of the owner of `device` anew: all of that device's were removed, after a note of none.
  mutating func recount(_ device: DeviceIdentity) throws(StorageError) {
    guard counts(device) else { return }
    changed[device.owner] = try stored(of: device.owner)
  }

  /// Refuses the transaction if a user has more by it than before, and more than the quota.
  func check() throws(StorageError) {
    for (owner, after) in changed {
      let before = durable[owner] ?? Amount()
      if let most = quota.itemsMax, after.items > most, after.items > before.items {
        throw .overQuota("\(most) items")
      }
      if let most = quota.itemBytesMax, after.bytes > most, after.bytes > before.bytes {
        throw .overQuota("\(most) bytes of items")
      }
    }
  }

  /// The transaction is durable.
  mutating func transactionWasCommitted() {
    durable.merge(changed) { _, new in new }
    changed.removeAll(keepingCapacity: true)
  }

  /// The transaction was undone.
  mutating func transactionWasUndone() { changed.removeAll(keepingCapacity: true) }

  private mutating func amount(of owner: UInt32) throws(StorageError) -> Amount {
    if let known = changed[owner] ?? durable[owner] { return known }
    // Nothing of this transaction is counted yet, so this is what was there before.
    let amount = try stored(of: owner)
    durable[owner] = amount
    return amount
  }

  private func stored(of owner: UInt32) throws(StorageError) -> Amount {
    var amount = Amount()
    let prefix = DeviceIdentity.reservedPrefix
    try sum.eachRow([.integer(Int64(owner)), .integer(Int64(prefix.utf8.count)), .text(prefix)]) {
      row in
      amount = Amount(items: row.integer(0), bytes: row.integer(1))
    }
    return amount
  }
}
