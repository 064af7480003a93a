import LocalAuthClient
import LocalAuthKeychain
public import LocalAuthSecret

extension Keychain {
  /// Adds an item.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - data: its secret, 64 KiB at most; nil for an item without one.
  /// - Returns: the added item.
  /// - Throws: ``KeychainFailure/duplicateItem`` if such an item exists,
  ///   ``KeychainFailure/locked``, and ``KeychainFailure/authentication(_:)`` if the device cannot
  ///   prove what the item requires because no finger is enrolled or no passcode is set.
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

  /// Finds the first item that matches; nil if none does.
  ///
  /// - Parameters:
  ///   - query: the items to match; its limit is ignored.
  ///   - withData: whether to fetch its data, see ``KeychainItem/takeData()``.
  /// - Returns: the item, or nil.
  /// - Throws: ``KeychainFailure/locked`` if the state of the device keeps the first match locked,
  ///   and ``KeychainFailure/authentication(_:)`` if the proof it requires is not given.
  public func item(
    matching query: KeychainQuery,
    withData: Bool = false
  ) async throws(KeychainFailure) -> KeychainItem? {
    var query = query
    query.limit = 1
    return try await items(matching: query, withData: withData).first
  }

  /// Finds every item that matches, up to the query's limit; finding none is not an error.
  ///
  /// A long list is fetched in several pieces, so it can miss items added and include items deleted
  /// meanwhile. ``sequence(matching:withData:)`` returns the pieces as they arrive.
  ///
  /// - Parameters:
  ///   - query: the items to match.
  ///   - withData: whether to fetch their data, see ``KeychainItem/takeData()``.
  /// - Returns: the items, in unspecified order.
  /// - Throws: as ``item(matching:withData:)``; a single locked or unproven item fails the whole
  ///   call.
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

  /// Changes every item that matches, atomically.
  ///
  /// - Parameters:
  ///   - query: the items to change; it must not have a limit.
  ///   - changes: the changes to their attributes.
  ///   - data: their new secret; nil keeps the old one.
  /// - Throws: ``KeychainFailure/itemNotFound``; ``KeychainFailure/duplicateItem`` if a changed
  ///   item would collide with another; otherwise as ``item(matching:withData:)``.
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

  /// Deletes every item that matches, without asking for proof.
  ///
  /// - Parameter query: the items to delete; it must not have a limit.
  /// - Returns: whether any item was deleted.
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

  /// Boxes a secret so that it can move to another thread.
  static func boxed(_ secret: consuming Secret?) -> SecretBox? {
    guard let secret else { return nil }
    return SecretBox(secret)
  }
}

/// The position in a list at which a piece begins.
struct KeychainPlace: Sendable {
  /// The items of the list; its limit counts those still wanted.
  var query: KeychainQuery
  let withData: Bool
  /// The service's position in the list; nil at the beginning.
  var cursor: String?

  /// The position after `count` more items, at `cursor`; nil at the end of the list.
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
  /// Where the list continues; nil at its end.
  let next: KeychainPlace?
}

extension KeychainSession {
  /// Fetches a piece of a list; it is empty if nothing matches.
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
