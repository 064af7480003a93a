import LocalAuthPolicies

/// A text with the place of its mistake marked by `@`, as an editor would count it.
struct MarkedText {
  let bytes: [UInt8]
  /// `LINE:COLUMN` of the mark; nil without one.
  let place: String?

  init(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    bytes = parts.flatMap { Array($0.utf8) }
    guard parts.count == 2 else {
      place = nil
      return
    }
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    place = "\(lines.count):\((lines.last?.unicodeScalars.count ?? 0) + 1)"
  }

  /// A policy with `members` after its name and summary.
  static func policy(_ members: String) -> Self {
    Self("{\n  \"name\": \"p\",\n  \"summary\": \"Something.\",\n  \(members)\n}\n")
  }

  /// What the error says in full, if it says `message` at the mark.
  func error(_ message: String) -> String {
    "F.json:" + (place.map { $0 + ":" } ?? "") + " " + message
  }
}

extension Result where Failure == PolicyError {
  /// The error in words; nil for a success.
  var message: String? {
    if case .failure(let error) = self { return error.description }
    return nil
  }

  /// The value; nil for a failure.
  var value: Success? { try? get() }
}

/// What `read` throws, in words; nil if it throws nothing.
func message(_ read: () throws(PolicyError) -> Void) -> String? {
  do throws(PolicyError) { try read() } catch { return error.description }
  return nil
}
