import Foundation

/// The modules with Apple's names, as text.
enum SourceText {
  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

  /// The texts of the Swift files below `folder`, by file name.
  static func files(in folder: String) throws -> [String: String] {
    let base = sources.appendingPathComponent(folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: base.path)
    let named = try paths.filter { $0.hasSuffix(".swift") }.map { path in
      let file = base.appendingPathComponent(path)
      return (file.lastPathComponent, try String(contentsOf: file, encoding: .utf8))
    }
    return Dictionary(uniqueKeysWithValues: named)
  }
}
