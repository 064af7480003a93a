import LocalAuthSync

/// What people did to items on their devices, and what they had seen there when they did, told apart from all that the
/// product keeps.
///
/// It knows less than a device may: what a person cannot have seen counts as unknown. So a change that it calls latest may
/// have been replaced by a merge alone, and then it has to be on a shelf.
struct LifeBook {
  /// One change, with a secret that nothing else ever says; nil for a deletion.
  struct Edit {
    let account: String
    let secret: String?
    /// The changes that it was made in knowledge of.
    let knew: Set<Int>
    /// What the device calls its content.
    let content: SyncDigest?
    /// Whether nobody has to find it any more, because a person left a circle with it.
    var isForgotten = false
  }

  private(set) var edits: [Edit] = []
  /// What each device showed so far.
  private var seen: [String: [String: Set<Int>]] = [:]

  /// A secret that nothing has said yet.
  var freshSecret: String { "secret \(edits.count)" }

  /// A device shows this; nil for nothing.
  mutating func saw(_ account: String, _ secret: String?, on device: String) {
    guard let secret, let edit = number(account, secret) else { return }
    seen[device, default: [:]][account, default: []].formUnion(edits[edit].knew.union([edit]))
  }

  /// A person changed what the device shows.
  mutating func wrote(
    _ account: String,
    _ secret: String?,
    _ content: SyncDigest?,
    on device: String
  ) {
    let knew = seen[device]?[account] ?? []
    edits.append(Edit(account: account, secret: secret, knew: knew, content: content))
    seen[device, default: [:]][account, default: []].insert(edits.count - 1)
  }

  /// The device is another peer from now on, which saw nothing.
  mutating func began(_ device: String) { seen[device] = nil }

  /// What lay on a shelf that a person left with, or was never sent.
  mutating func forget(where isGone: (Edit) -> Bool) {
    for index in edits.indices where isGone(edits[index]) { edits[index].isForgotten = true }
  }

  private func number(_ account: String, _ secret: String) -> Int? {
    edits.firstIndex { $0.account == account && $0.secret == secret }
  }

  /// The changes of an item that nobody replaced in knowledge of them.
  private func latest(_ account: String) -> [Int] {
    let replaced = edits.filter { $0.account == account }.reduce(into: Set<Int>()) {
      $0.formUnion($1.knew)
    }
    return edits.indices.filter { edits[$0].account == account && !replaced.contains($0) }
  }

  /// What is wrong with an item that all devices show like this at the end; nil for nothing.
  func complaint(_ account: String, shows secret: String?, shelves: Set<SyncDigest>) -> String? {
    let latest = latest(account)
    if let secret {
      guard let shown = number(account, secret) else { return "\(account) is made up: \(secret)" }
      guard latest.contains(shown) else { return "\(account) is an older one: \(secret)" }
    } else if !latest.isEmpty, latest.allSatisfy({ edits[$0].secret != nil }) {
      return "\(account) is gone, and nobody deleted it: \(latest.map { edits[$0] })"
    }
    let lost = latest.map { edits[$0] }.first { edit in
      guard let own = edit.secret, let content = edit.content else { return false }
      return own != secret && !edit.isForgotten && !shelves.contains(content)
    }
    return lost.map { "\(account) lost \($0.secret ?? "")" }
  }
}
