import LocalAuthClient
import LocalAuthKeychain
public import LocalAuthSecret

extension Keychain {
  /// Adds an item.
  ///
  /// - Parameters:
  ///   - item: what it is.
  ///   - data: its secret, 64 KiB at most; nil for an item without any.
  /// - Returns: the item as it was added.
  /// - Throws: ``KeychainFailure/duplicateItem`` where there is such an item,
  ///   ``KeychainFailure/locked``, and ``KeychainFailure/authentication(_:)`` where what it asks for
  ///   could never be proven on the device: no finger is enrolled, no passcode set.
  @discardableResult
  public func add(
    _ item: NewKeychainItem,
    data: consuming Secret? = nil
  ) async throws(KeychainFailure) -> KeychainItem {
    var item = item
    if item.group == nil { item.group = accessGroup }
    let dictionary = item.dictionary
    let data = Self.boxed(data)
    return try await perform { (session) throws(KeychainFailure) in
      let answer = try session.add(dictionary, data?.take())
      guard let added = answer.items.first else {
        throw .service(.protocolError("an item was added and not shown"))
      }
      return try KeychainItem(added)
    }
  }

  /// Finds the first item that matches; nil where none does.
  ///
  /// - Parameters:
  ///   - query: which; its limit does not matter.
  ///   - withData: whether its data is wanted, see ``KeychainItem/takeData()``.
  /// - Returns: the item, or nil.
  /// - Throws: ``KeychainFailure/locked`` where the first that matches is locked by the device's
  ///   state, and ``KeychainFailure/authentication(_:)`` where it asks for proof and there is none.
  public func item(
    matching query: KeychainQuery,
    withData: Bool = false
  ) async throws(KeychainFailure) -> KeychainItem? {
    var query = query
    query.limit = 1
    return try await items(matching: query, withData: withData).first
  }

  /// Finds every item that matches, up to the query's limit; none is no error.
  ///
  /// A long list comes in several pieces, so that it can miss what is added, and tell what is deleted,
  /// while it is put together. ``sequence(matching:withData:)`` gives the pieces as they come.
  ///
  /// - Parameters:
  ///   - query: which.
  ///   - withData: whether their data is wanted, see ``KeychainItem/takeData()``.
  /// - Returns: the items, in no order.
  /// - Throws: as ``item(matching:withData:)``; one item that is locked or not proven fails all.
  public func items(
    matching query: KeychainQuery,
    withData: Bool = false
  ) async throws(KeychainFailure) -> [KeychainItem] {
    let start = KeychainPlace(query: grouped(query), withData: withData)
    return try await perform { (session) throws(KeychainFailure) in
      var items: [KeychainItem] = []
      var place: KeychainPlace? = start
      while let here = place {
        let page = try session.page(at: here)
        items += page.items
        place = page.next
      }
      return items
    }
  }

  /// Changes every item that matches, all of them or none.
  ///
  /// - Parameters:
  ///   - query: which; without a limit.
  ///   - changes: what becomes of their attributes.
  ///   - data: their new secret; nil leaves it as it is.
  /// - Throws: ``KeychainFailure/itemNotFound``; ``KeychainFailure/duplicateItem`` where a changed item
  ///   would be the same as another; otherwise as ``item(matching:withData:)``.
  public func update(
    matching query: KeychainQuery,
    with changes: KeychainChanges = KeychainChanges(),
    data: consuming Secret? = nil
  ) async throws(KeychainFailure) {
    let query = grouped(query)
    let data = Self.boxed(data)
    try await perform { (session) throws(KeychainFailure) in
      _ = try session.update(
        query.selection,
        changes.dictionary,
        data?.take(),
        reason: query.reason
      )
    }
  }

  /// Deletes every item that matches; nobody is asked for proof.
  ///
  /// - Parameter query: which; without a limit.
  /// - Returns: whether there was any.
  /// - Throws: ``KeychainFailure``.
  @discardableResult
  public func delete(matching query: KeychainQuery) async throws(KeychainFailure) -> Bool {
    let query = grouped(query)
    return try await perform { (session) throws(KeychainFailure) in
      do throws(KeychainFailure) {
        _ = try session.delete(query.selection, reason: query.reason)
        return true
      } catch {
        guard error == .itemNotFound else { throw error }
        return false
      }
    }
  }

  /// A secret on its way to another thread.
  static func boxed(_ secret: consuming Secret?) -> SecretBox? {
    guard let secret else { return nil }
    return SecretBox(secret)
  }
}

/// Where a list begins or goes on.
struct KeychainPlace: Sendable {
  /// Which items, and how many of them are still wanted.
  var query: KeychainQuery
  let withData: Bool
  /// Nil at the beginning.
  var cursor: String?

  /// The place after so many more items, where the list goes on at `cursor`; nil for its end.
  func after(_ count: Int, at cursor: String?) -> KeychainPlace? {
    guard let cursor else { return nil }
    var next = self
    next.cursor = cursor
    guard let limit = query.limit else { return next }
    next.query.limit = limit - count
    return limit > count ? next : nil
  }
}

/// A piece of a list.
struct KeychainPage: Sendable {
  let items: [KeychainItem]
  /// Where the list goes on; nil where it does not.
  let next: KeychainPlace?
}

extension KeychainSession {
  /// A piece of a list; one without items where nothing matches.
  mutating func page(at place: KeychainPlace) throws(KeychainFailure) -> KeychainPage {
    let answer: RemoteAnswer
    do throws(KeychainFailure) {
      answer = try copy(
        place.query.search(withData: place.withData),
        after: place.cursor,
        reason: place.query.reason
      )
    } catch {
      guard error == .itemNotFound else { throw error }
      return KeychainPage(items: [], next: nil)
    }
    var items: [KeychainItem] = []
    for item in answer.items { items.append(try KeychainItem(item)) }
    return KeychainPage(items: items, next: place.after(items.count, at: answer.next))
  }
}
