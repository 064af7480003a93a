/// The items that a query matches, fetched in pieces during iteration.
///
/// Each piece holds up to a few hundred kilobytes. Without a context, each piece asks separately
/// for the proof that its items require.
public struct KeychainItems: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = KeychainItem
  /// The error that may end the sequence early.
  public typealias Failure = KeychainFailure

  let keychain: Keychain
  let start: KeychainPlace

  /// Makes an iterator that begins at the first item.
  public func makeAsyncIterator() -> Iterator { Iterator(items: self) }

  /// Iterates over the items once.
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
    /// - Throws: as ``Keychain/items(matching:withData:)``; after that, the sequence is at its end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(KeychainFailure) -> KeychainItem? {
      while piece.isEmpty, let here = place {
        // Cleared first, so that nothing follows a failure.
        place = nil
        let page = try await keychain.perform { (session) throws(KeychainFailure) in
          try session.page(at: here)
        }
        piece = page.items[...]
        place = page.next
      }
      return piece.popFirst()
    }

    /// The next item, for a caller that is not on an actor; nil after the last.
    public mutating func next() async throws(KeychainFailure) -> KeychainItem? {
      try await next(isolation: nil)
    }
  }
}

extension Keychain {
  /// Finds every item that matches, and returns them as they arrive.
  ///
  /// - Parameters:
  ///   - query: the items to match.
  ///   - withData: whether to fetch their data, see ``KeychainItem/takeData()``.
  /// - Returns: the sequence, which fetches nothing before it is iterated.
  public func sequence(matching query: KeychainQuery, withData: Bool = false) -> KeychainItems {
    let start = KeychainPlace(query: grouped(query), withData: withData)
    return KeychainItems(keychain: self, start: start)
  }
}
