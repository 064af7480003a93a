import Foundation
import PackagePlugin

/// Adds the calls to a target that take the place of Foundation's, and refuses those that nothing can take the
/// place of.
@main
struct DataProtectionPlugin: BuildToolPlugin {
  /// What would leave a file unprotected, and what to write instead.
  private static let uncaught: [(pattern: String, instead: String)] = [
    (#"\.fileProtection(Key)?\b"#, "use FileManager.setAttributes with protectionKey"),
    (#"\bfor(WritingTo|WritingAtPath|Updating|UpdatingAtPath)\s*:"#, "use Data to write files"),
    (#"\bOutputStream\b"#, "use Data to write files"),
  ]
  /// Classes whose `write` is a method of theirs, which an extension does not replace.
  private static let classes = #"\bNS(Mutable)?(Data|String|Array|Dictionary)\b"#

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let sources = (target as? any SourceModuleTarget)?.sourceFiles(withSuffix: "swift") else {
      return []
    }
    for file in sources { try check(file.url) }
    let shadows = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Shadows.swift.txt")
    let output = context.pluginWorkDirectoryURL.appendingPathComponent(
      "DataProtectionShadows.swift"
    )
    return [
      .buildCommand(
        displayName: "Protect the files of \(target.name)",
        executable: URL(fileURLWithPath: "/bin/cp"),
        arguments: [shadows.path, output.path],
        inputFiles: [shadows],
        outputFiles: [output]
      )
    ]
  }

  private func check(_ file: URL) throws {
    let code = code(of: try String(contentsOf: file, encoding: .utf8))
    var patterns = Self.uncaught
    // Of which class a value is stands in another line than its use.
    if code.contains(".write(") { patterns.append((Self.classes, "use Data to write files")) }
    for (pattern, instead) in patterns {
      var rest = code.startIndex..<code.endIndex
      while let found = code.range(of: pattern, options: .regularExpression, range: rest) {
        // On the command line only the message is printed.
        let number = code[..<found.lowerBound].count(where: { $0 == "\n" }) + 1
        Diagnostics.error(
          "\(file.path):\(number): this would leave the file unprotected: \(instead)"
        )
        rest = found.upperBound..<code.endIndex
      }
    }
  }

  /// The text without the comments at the ends of lines; two slashes behind an odd number of quotes are in a string.
  private func code(of text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var end = line.startIndex..<line.endIndex
      while let slashes = line.range(of: "//", range: end) {
        if line[..<slashes.lowerBound].count(where: { $0 == "\"" }).isMultiple(of: 2) {
          return line[..<slashes.lowerBound]
        }
        end = slashes.upperBound..<line.endIndex
      }
      return line
    }
    return lines.joined(separator: "\n")
  }
}
