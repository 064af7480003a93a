/// A number with its noun: `1 item`, `3 items`.
public enum CountText {
  /// Returns `count` and `one`, or `many`, which adds an s to `one` where it is not given.
  public static func of(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String
  {
    count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
  }
}
