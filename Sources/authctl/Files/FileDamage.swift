import LocalAuthCore
import LocalAuthFiles
import LocalAuthJSON

/// What is damaged of the content of a protected file that was copied.
struct FileDamage {
  private let path: String
  private let parts: [Range<Int>]

  /// Copies the content to `descriptor`.
  ///
  /// - Parameters:
  ///   - file: The protected file.
  ///   - path: Its path.
  ///   - files: What opened it.
  ///   - descriptor: Where to write.
  ///   - skips: Whether zeros are written for what is damaged; else that is a failure, which says where it is.
  ///   - unwritable: What an error number of writing means.
  /// - Throws: ``Failure``.
  init(
    copying file: ProtectedFile,
    _ path: String,
    _ files: ProtectedFiles,
    to descriptor: Int32,
    skips: Bool = false,
    orElse unwritable: (Int32) -> Failure
  ) throws(Failure) {
    self.path = path
    do throws(FileFailure) {
      guard skips else {
        try file.copy(to: descriptor)
        parts = []
        return
      }
      parts = try file.copyUndamaged(to: descriptor)
    } catch {
      if case .file(.system("write", let number)) = error { throw unwritable(number) }
      throw Failure(error, path, examinedIn: files)
    }
  }

  private static func text(_ part: Range<Int>) -> String {
    "Bytes \(part.lowerBound) to \(part.upperBound - 1)"
  }

  /// Names each part on standard error, and makes `report` that of a failure if there is one.
  func tell(_ report: Report, _ copy: String, _ output: Output) -> Report {
    guard !parts.isEmpty else { return report }
    for part in parts { output.say("\(Self.text(part)) of \(path) are damaged.") }
    var report = report
    let count = parts.reduce(0) { $0 + $1.count }
    let message = "\(copy) is a copy of \(path) with zeros for \(CountText.of(count, "byte"))."
    report.fail(.keychainError, message)
    return report
  }

  /// Writes the parts into a report.
  func write(_ writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("damaged", parts) { part, writer in
      writer.member("offset", Int64(part.lowerBound))
      writer.member("length", Int64(part.count))
    }
  }
}
