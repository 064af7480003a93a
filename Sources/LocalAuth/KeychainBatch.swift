import LocalAuthClient
import LocalAuthKeychain
public import LocalAuthSecret
import LocalAuthWire

/// Items to add together in as few commits as possible, for example in an import.
///
/// ```swift
/// var batch = KeychainBatch()
/// for entry in entries {
///   batch.append(.genericPassword(service: "mail", account: entry.name), data: entry.secret())
/// }
/// try await keychain.add(batch)
/// ```
public struct KeychainBatch: Sendable {
  fileprivate private(set) var items: [NewKeychainItem] = []
  fileprivate private(set) var data: [SecretBox?] = []

  /// Creates an empty batch.
  public init() {}

  /// The number of items.
  public var count: Int { items.count }

  /// Appends an item, with its secret of at most 64 KiB if it has one.
  public mutating func append(_ item: NewKeychainItem, data: consuming Secret? = nil) {
    items.append(item)
    self.data.append(Keychain.boxed(data))
  }
}

/// The error of a batch that was not added completely.
public struct KeychainBatchFailure: Error, Hashable, Sendable {
  /// What happened.
  public let failure: KeychainFailure
  /// The number of items added, from the first one on; none of the others was added.
  public let added: Int
  /// The index of the failed item; nil if the failure concerns no particular item.
  public let item: Int?
}

extension KeychainBatchFailure: CustomStringConvertible {
  /// The failure, the failed item, and the number of items added.
  public var description: String {
    let place = item.map { "Item \($0): " } ?? ""
    return "\(place)\(failure) \(added) items were added."
  }
}

extension Keychain {
  /// Adds the items of a batch in atomic commits of as many items as fit a message, at most 1,000.
  ///
  /// - Parameter batch: the items; the call consumes their secrets.
  /// - Returns: the added items, in the order of the batch.
  /// - Throws: ``KeychainBatchFailure``; items already committed stay.
  @discardableResult
  public func add(_ batch: KeychainBatch) async throws(KeychainBatchFailure) -> [KeychainItem] {
    let dictionaries = batch.items.map { item in
      var item = item
      if item.group == nil { item.group = accessGroup }
      return item.dictionary
    }
    let data = batch.data
    let outcome: BatchOutcome
    do throws(KeychainFailure) {
      outcome = try await perform { (session) throws(KeychainFailure) in
        session.addAll(dictionaries, data)
      }
    } catch {
      throw KeychainBatchFailure(failure: error, added: 0, item: nil)
    }
    if let failure = outcome.failure {
      throw KeychainBatchFailure(
        failure: failure,
        added: outcome.added.count,
        item: outcome.failedItem
      )
    }
    return outcome.added
  }
}

/// The part of a batch that was added, and the failure that stopped it.
private struct BatchOutcome: Sendable {
  var added: [KeychainItem] = []
  var failure: KeychainFailure?
  var failedItem: Int?
}

extension KeychainSession {
  /// Adds all items, as many at a time as one message holds.
  fileprivate mutating func addAll(
    _ dictionaries: [QueryDictionary],
    _ data: [SecretBox?]
  ) -> BatchOutcome {
    var outcome = BatchOutcome()
    var secrets = Secret(capacity: data.reduce(0) { $0 + ($1?.count ?? 0) })
    let places = data.map { box -> Range<Int>? in
      guard let data = box?.take() else { return nil }
      return secrets.append(contentsOf: data)
    }
    var step = WireLimits().addedItemsMax
    while outcome.added.count < dictionaries.count {
      let start = outcome.added.count
      let range = start..<min(start + step, dictionaries.count)
      do throws(KeychainFailure) {
        outcome.added += try addTogether(dictionaries[range], places[range], of: secrets)
      } catch {
        let isTooLong = error.status == .dataTooLarge && failedItem == nil
        guard isTooLong, range.count > 1 else {
          outcome.failure = error
          outcome.failedItem = failedItem.map { start + $0 } ?? (isTooLong ? start : nil)
          return outcome
        }
        step = range.count / 2
      }
    }
    return outcome
  }

  private mutating func addTogether(
    _ dictionaries: ArraySlice<QueryDictionary>,
    _ places: ArraySlice<Range<Int>?>,
    of secrets: borrowing Secret
  ) throws(KeychainFailure) -> [KeychainItem] {
    var call = KeychainMessages.AddAllCall()
    for dictionary in dictionaries {
      var item = KeychainMessages.NewItem()
      item.query = try Self.query(dictionary)
      call.items.append(item)
    }
    // SAFETY: the bytes stay in place during the call, and no pointer to them outlives it.
    let answer = try unsafe secrets.withUnsafeBytes { (bytes) throws(KeychainFailure) in
      for (index, place) in places.enumerated() {
        guard let place else { continue }
        let data = unsafe UnsafeRawBufferPointer(rebasing: bytes[place])
        unsafe call.items[index].data = WireSecret(base64Of: data)
      }
      return try ask(Methods.addItems, call)
    }
    guard answer.items.count == dictionaries.count else {
      throw .service(.protocolError("items were added and not shown"))
    }
    var added: [KeychainItem] = []
    for item in answer.items { added.append(try KeychainItem(item)) }
    return added
  }
}
