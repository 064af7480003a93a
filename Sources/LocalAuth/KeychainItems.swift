/// The items that a query matches, fetched piece by piece while they are gone through.
///
/// Each piece holds up to some hundred kilobytes. Without a context each asks on its own for the proof
/// that its items want.
public struct KeychainItems: AsyncSequence, Sendable {
  /// What it is a sequence of.
  public typealias Element = KeychainItem
  /// Why it may end early.
  public typealias Failure = KeychainFailure

  let keychain: Keychain
  let start: KeychainPlace

  /// Begins at the first item.
  public func makeAsyncIterator() -> Iterator { Iterator(items: self) }

  /// Goes through the items once.
  public struct Iterator: AsyncIteratorProtocol {
    private let keychain: Keychain
    private var piece: ArraySlice<KeychainItem> = []
    private var place: KeychainPlace?

    fileprivate init(items: KeychainItems) {
      keychain = items.keychain
      place = items.start
    }

    /// The next item; nil after the last.
    ///
    /// - Throws: as ``Keychain/items(matching:withData:)``; nothing follows.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(KeychainFailure) -> KeychainItem? {
      while piece.isEmpty, let here = place {
        // There is none after a failure.
        place = nil
        let page = try await keychain.perform { (session) throws(KeychainFailure) in
          try session.page(at: here)
        }
        piece = page.items[...]
        place = page.next
      }
      return piece.popFirst()
    }

    /// The same for a caller on no actor.
    public mutating func next() async throws(KeychainFailure) -> KeychainItem? {
      try await next(isolation: nil)
    }
  }
}

extension Keychain {
  /// Finds every item that matches, and gives them as they come.
  ///
  /// - Parameters:
  ///   - query: which.
  ///   - withData: whether their data is wanted, see ``KeychainItem/takeData()``.
  /// - Returns: the sequence, which asks for nothing before it is gone through.
  public func sequence(matching query: KeychainQuery, withData: Bool = false) -> KeychainItems {
    let start = KeychainPlace(query: grouped(query), withData: withData)
    return KeychainItems(keychain: self, start: start)
  }
}
