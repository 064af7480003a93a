import Foundation

/// The sources of this repository as text.
struct SourceFile {
  /// The path below the repository's root.
  let path: String
  let lines: [Substring]

  /// The lines without comments and text literals' contents, numbered from 1.
  var code: [(number: Int, text: String)] {
    lines.enumerated().compactMap { index, line in
      let text = line.drop { $0 == " " }
      return text.hasPrefix("//") ? nil : (index + 1, String(line))
    }
  }

  /// The names of the types that are declared outside of any other.
  var topLevelTypes: [(number: Int, name: String)] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    let modifiers: Set<Substring> = [
      "public", "package", "private", "fileprivate", "final", "indirect", "nonisolated",
    ]
    return code.compactMap { number, text in
      let words = text.split { " :<{=".contains($0) }
      guard text.first != " ", let kind = words.firstIndex(where: kinds.contains),
        words[..<kind].allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") }),
        words.count > kind + 1
      else { return nil }
      return (number, String(words[kind + 1]))
    }
  }

  /// The target that the file belongs to.
  var target: String {
    path.hasPrefix("policies/") ? "LocalAuthPolicies" : String(path.split(separator: "/")[1])
  }

  /// The modules that the file imports.
  var imports: [String] {
    code.compactMap { _, text in
      let words = text.split(separator: " ")
      guard let index = words.firstIndex(of: "import"), index < 2, words.count > index + 1 else {
        return nil
      }
      return String(words[index + 1])
    }
  }
}

enum SourceTree {
  /// The repository's root.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// A file of the repository as text.
  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The names of what lies in a folder.
  static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
  }

  /// The Swift files below `folders`.
  static func swiftFiles(in folders: String...) -> [SourceFile] { files(in: folders, [".swift"]) }

  /// The files below `folders` whose names end so.
  static func files(in folders: [String], _ endings: [String]) -> [SourceFile] {
    folders.flatMap { folder -> [SourceFile] in
      let base = root.appendingPathComponent(folder)
      let paths = FileManager.default.enumerator(atPath: base.path)?.allObjects ?? []
      return paths.compactMap { $0 as? String }
        .filter { path in endings.contains { path.hasSuffix($0) } }.sorted()
        .compactMap { path in
          guard let text = try? text(of: "\(folder)/\(path)") else { return nil }
          return SourceFile(
            path: "\(folder)/\(path)",
            lines: text.split(separator: "\n", omittingEmptySubsequences: false)
          )
        }
    }
  }
}
