import LocalAuthCore

/// All entries of one kind by name: the content, its origin, or why it cannot be used.
struct PolicyShelf<Content: Sendable>: Sendable {
  struct Entry: Sendable {
    var origin: PolicyOrigin
    var bytes: [UInt8]
    var content: Result<Content, PolicyError>
  }

  let kind: PolicyKind
  private(set) var entries: [String: Entry] = [:]

  init(_ kind: PolicyKind) { self.kind = kind }

  var names: [String] { entries.keys.sorted() }

  /// Returns the content called `name`, or the reason it cannot be used.
  func find(_ name: String) -> Result<Content, PolicyError> {
    entries[name]?.content ?? .failure(missing(name))
  }

  func missing(_ name: String) -> PolicyError {
    PolicyError(.noSuchName(kind: kind, name: name, allowed: names))
  }

  /// Adds a file, replacing any entry of that name even if the file is invalid: a mistake in an
  /// override must not bring back the rule it was meant to replace.
  mutating func put(
    _ name: String,
    _ bytes: [UInt8],
    from origin: PolicyOrigin,
    _ read: () throws(PolicyError) -> Content
  ) {
    let content = Result(catching: read)
    entries[name] = Entry(origin: origin, bytes: bytes, content: content)
  }

  /// Makes the entry, if there is one, fail with `error`.
  mutating func spoil(_ name: String, _ error: PolicyError) {
    entries[name]?.content = .failure(error)
  }

  /// Makes every entry fail with `error`.
  mutating func spoilAll(_ error: PolicyError) {
    for name in names { spoil(name, error) }
  }

  var errors: [PolicyError] {
    names.compactMap { name in
      if case .failure(let error)? = entries[name]?.content { return error }
      return nil
    }
  }
}
