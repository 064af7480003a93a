extension String {
  /// Truncates to at most `limit` bytes of UTF-8, at a character boundary.
  package func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var size = 0
    return String(
      prefix { character in
        size += character.utf8.count
        return size <= limit
      }
    )
  }
}
