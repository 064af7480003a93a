import Foundation
import PackagePlugin

/// Adds the calls to a target that take the place of Foundation's, and refuses those that nothing can take the
/// place of.
@main
struct DataProtectionPlugin: BuildToolPlugin {
  /// What would leave a file unprotected, and what to write instead.
  private static let uncaught: [(pattern: String, instead: String)] = [
    (#"\.fileProtection(Key)?\b"#, "use FileManager.setAttributes with protectionKey"),
    (
      #"\bcreateDirectory\b.*\.protectionKey\b"#,
      "make the directory, then use FileManager.setAttributes with protectionKey"
    ),
  ]
  /// Classes whose `write` is a method of theirs, which an extension does not replace.
  private static let classes = #"\bNS(Mutable)?Data\b"#

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
    let text = try String(contentsOf: file, encoding: .utf8)
    var patterns = Self.uncaught
    // Of which class a value is stands in another line than its use.
    if text.contains(".write(") { patterns.append((Self.classes, "use Data to write files")) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let code = line.prefix(upTo: line.range(of: "//")?.lowerBound ?? line.endIndex)
      for (pattern, instead) in patterns
      where code.range(of: pattern, options: .regularExpression) != nil {
        // On the command line only the message is printed.
        let place = "\(file.path):\(number + 1)"
        Diagnostics.error("\(place): this would leave the file unprotected: \(instead)")
      }
    }
  }
}
