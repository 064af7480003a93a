import LocalAuthKeychain

/// A selection in the keyed hashes that are stored with each row, which judge a row that cannot be
/// read.
///
/// No class key is needed for it, so whose item it is, and what it is found by, is known while the
/// device is locked, too, and once its key is gone. The header alone says neither.
struct HashedSelection {
  /// The hashes of the groups that a row may or may not have.
  private enum Groups {
    case every(except: [TermHash])
    case only([TermHash])
  }

  private let groups: Groups
  private let terms: [ItemClass: [TermHash]]
  /// Whether the hashes stand for all that the selection asks for.
  ///
  /// Comments, flags and dates have none.
  private let isWhole: Bool

  /// The hashes of `selection` on the device with `vault`.
  init(_ selection: ItemSelection, by vault: any KeyVault) {
    func hashes(of groups: [String]) -> [TermHash] {
      groups.compactMap { vault.hash(of: SearchTerm(.accessGroup, .text($0))) }
    }
    switch selection.scope {
    case .every(let except):
      groups = .every(except: hashes(of: [AccessGroups.internalGroup] + except))
    case .only(let names): groups = .only(hashes(of: names))
    }
    var terms: [ItemClass: [TermHash]] = [:]
    var isWhole = true
    for half in selection.storedClasses {
      let wanted = selection.terms(for: half)
      let hashes = wanted.compactMap { vault.hash(of: $0) }
      isWhole = isWhole && hashes.count == wanted.count
      terms[half] = hashes
    }
    self.terms = terms
    self.isWhole = isWhole
  }

  /// Judges a row whose item is not readable.
  ///
  /// - Parameters:
  ///   - stored: The row, which the selection admits by its header.
  ///   - standing: Why the item cannot be read.
  ///   - isGone: Whether it can never be.
  /// - Returns: the row; nil if the call is not about it.
  func unreadable(
    _ stored: borrowing StoredItem,
    _ standing: ItemWalk.Standing,
    isGone: Bool = false
  ) -> MatchedRow? {
    guard covers(stored) else { return nil }
    let isUndecided = standing == .locked && !isWhole
    return MatchedRow(
      header: stored.header,
      standing: isUndecided ? .undecided : standing,
      isGone: isGone
    )
  }

  private func covers(_ stored: borrowing StoredItem) -> Bool {
    guard let wanted = terms[stored.header.itemClass], stored.isFound(by: wanted) else {
      return false
    }
    return switch groups {
    case .every(let except): !stored.isFound(byAnyOf: except)
    case .only(let groups): stored.isFound(byAnyOf: groups)
    }
  }
}
