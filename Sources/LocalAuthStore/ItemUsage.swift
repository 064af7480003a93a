import LocalAuthCore

/// How much of their item quota the users have taken, inside the caller's transactions.
///
/// The first commit that changes a user's items counts them; each later change adjusts the count.
/// The service's own keys do not count.
struct ItemUsage: ~Copyable {
  private struct Amount {
    var items: Int64 = 0
    var bytes: Int64 = 0
  }

  private let quota: UserQuota
  private let sum: Statement
  /// The durable amounts of the users counted so far.
  private var durable: [UInt32: Amount] = [:]
  /// The amounts after the transaction under way.
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

  /// Whether the items of `device` count against a quota.
  private func counts(_ device: DeviceIdentity) -> Bool {
    (quota.itemsMax != nil || quota.itemBytesMax != nil) && !device.isReserved
  }

  /// Notes that an item of `device` is about to be added (1) or removed (-1).
  mutating func note(_ items: Int64, bytes: Int64, of device: DeviceIdentity) throws(StorageError) {
    guard counts(device) else { return }
    var amount = try amount(of: device.owner)
    amount.items += items
    amount.bytes += items * bytes
    changed[device.owner] = amount
  }

  /// Recounts the items of the owner of `device` after all items of that device were removed.
  ///
  /// A note of 0 items must precede the removal, to establish the amount before it.
  mutating func recount(_ device: DeviceIdentity) throws(StorageError) {
    guard counts(device) else { return }
    changed[device.owner] = try stored(of: device.owner)
  }

  /// Throws if the transaction leaves a user with more than before and more than the quota.
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

  /// Adopts the amounts of a transaction that is durable.
  mutating func transactionWasCommitted() {
    durable.merge(changed) { _, new in new }
    changed.removeAll(keepingCapacity: true)
  }

  /// Drops the amounts of a transaction that was rolled back.
  mutating func transactionWasUndone() { changed.removeAll(keepingCapacity: true) }

  private mutating func amount(of owner: UInt32) throws(StorageError) -> Amount {
    if let known = changed[owner] ?? durable[owner] { return known }
    // The transaction has not changed this user's items yet, so this is the amount before it.
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
