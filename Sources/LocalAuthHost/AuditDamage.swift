/// What is wrong with the copy of the audit.
struct AuditDamage {
  /// The lines of each file that do not follow those before them.
  private var breaks: [(file: String, lines: [Int])] = []
  /// The file that does not end as this service left it; nil for none.
  var cut: String?

  /// The most lines of a file that are named.
  private static let namedMax = 20

  var isNone: Bool { breaks.isEmpty && cut == nil }

  /// Adds lines of a file that do not follow those before them.
  mutating func add(_ lines: [Int], in file: String) {
    guard !lines.isEmpty else { return }
    if breaks.last?.file == file {
      breaks[breaks.count - 1].lines += lines
    } else {
      breaks.append((file, lines))
    }
  }
}

extension AuditDamage: CustomStringConvertible {
  /// How many breaks there are and where, as `2 breaks, in audit.log at lines 3 and 7`.
  var description: String {
    var parts: [String] = []
    let count = breaks.reduce(0) { $0 + $1.lines.count }
    if count > 0 {
      let places = breaks.map { "in \($0.file) at \(Self.words($0.lines))" }
      parts.append("\(count) \(count == 1 ? "break" : "breaks"), \(places.joined(separator: ", "))")
    }
    if let cut { parts.append("\(cut) ends elsewhere than it was left") }
    return parts.joined(separator: "; ")
  }

  private static func words(_ lines: [Int]) -> String {
    guard lines.count > 1, let last = lines.last else { return "line \(lines.first ?? 0)" }
    guard lines.count <= namedMax else {
      let named = lines.prefix(namedMax).map(String.init).joined(separator: ", ")
      return "lines \(named) and \(lines.count - namedMax) more"
    }
    return "lines \(lines.dropLast().map(String.init).joined(separator: ", ")) and \(last)"
  }
}
