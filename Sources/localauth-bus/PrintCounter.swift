import LocalAuthUnix

/// Counts the enrolments that were heard of, durably: a finger that is enrolled under a name that was
/// there makes another set.
struct PrintCounter: ~Copyable {
  private(set) var count: UInt64
  private var file: OverwriteFile?

  /// Opens the count in the program's directory; without one it starts anew.
  init(in directory: String?) {
    file = nil
    count = 0
    guard let directory, let home = try? PrivateDirectory(opening: directory),
      let opened = try? OverwriteFile(opening: "enrolments", in: home, recordSize: 8)
    else { return }
    let known = unsafe withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) {
      bytes -> UInt64 in
      guard unsafe (try? opened.read(into: bytes)) == true else { return 0 }
      return unsafe bytes.load(as: UInt64.self)
    }
    count = known
    file = consume opened
  }

  /// Counts one more.
  mutating func increment() {
    count &+= 1
    // Without it the names of the fingers still tell.
    unsafe withUnsafeBytes(of: count) { bytes in
      try? unsafe file?.write(bytes)
      try? file?.sync()
    }
  }
}
