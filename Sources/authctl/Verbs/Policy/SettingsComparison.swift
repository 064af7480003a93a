import LocalAuthJSON
import LocalAuthPolicies

/// The settings in which two policies or lockout profiles differ.
///
/// It includes those that no event shows, such as how long an evaluation may take or which sensors
/// are too weak.
struct SettingsComparison {
  /// A setting that differs; nil on a side that lacks it.
  struct Row {
    let key: String
    let left: String?
    let right: String?

    func write<Sink: ~Copyable>(_ writer: inout JSONWriter<Sink>) {
      writer.member("name", key)
      writer.member("a", left)
      writer.member("b", right)
    }
  }

  let rows: [Row]
  private let names: (String, String)

  init(_ names: (String, String), _ left: [PolicySetting], _ right: [PolicySetting]) {
    self.names = names
    let alone = right.filter { setting in !left.contains { $0.key == setting.key } }
    rows = (left + alone).compactMap { setting in
      func text(_ settings: [PolicySetting]) -> String? {
        settings.first { $0.key == setting.key }?.text
      }
      let (first, second) = (text(left), text(right))
      return first == second ? nil : Row(key: setting.key, left: first, right: second)
    }
  }

  /// The differences as part of a sentence; nil if there are none.
  var words: String? {
    rows.isEmpty ? nil : "they are set differently in \(rows.map(\.key).joined(separator: ", "))"
  }

  /// The differences in a table headed by the names; empty if there are none.
  var table: [String] {
    guard !rows.isEmpty else { return [] }
    let cells = rows.map { [$0.key, $0.left ?? "-", $0.right ?? "-"] }
    return Columns.table([["", names.0, names.1]] + cells) + [""]
  }
}
