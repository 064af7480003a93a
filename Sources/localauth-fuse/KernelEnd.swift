/// Where the kernel takes the content of a file to end: there it writes what a program appends.
struct KernelEnd {
  /// The length that the kernel was told last, or has written up to since; nil if nothing.
  private var told: Int?
  /// Whether the content ended elsewhere at any time since somebody has the file open.
  private var differs = false

  /// The kernel is told how long the file is.
  mutating func wasTold(_ length: Int) { told = length }

  /// The kernel takes the file to reach to `end`, because that was written.
  mutating func reaches(_ end: Int) { told = max(told ?? 0, end) }

  /// Compares it with the length of the content.
  ///
  /// Once they differed, what the kernel is told may reach it after what is under way.
  mutating func compare(_ length: Int) { if told != length { differs = true } }

  /// Begins anew, because nobody has the file open.
  mutating func forgetDifference() { differs = false }

  /// Where to write what comes with `offset` to content of this length.
  ///
  /// That a program has asked for another place with `RWF_NOAPPEND`, the kernel says by the offset alone, which means
  /// nothing where it takes the content to end elsewhere.
  func start(of offset: Int, _ length: Int, appends: Bool) -> Int {
    appends && differs ? length : offset
  }
}
