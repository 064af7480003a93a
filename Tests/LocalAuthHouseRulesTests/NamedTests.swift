import Foundation

/// The tests and attacks of this repository, by the names that documents call them by.
enum NamedTests {
  /// The tests of each suite, from the sources.
  static let suites: [String: Set<String>] = {
    var suites: [String: Set<String>] = [:]
    for file in SourceTree.swiftFiles(in: "Tests", "Examples")
    where file.path.hasSuffix("Tests.swift") {
      read(file, into: &suites)
    }
    return suites
  }()

  /// The functions of each campaign of `make attack`, and of what `make system-test` and
  /// `make deb-test` check.
  static let attacks: [String: Set<String>] = {
    let campaigns =
      (try? SourceTree.text(of: "Tests/Attack/run.py"))?
      .firstMatch(of: /CAMPAIGNS = \[([^\]]*)\]/)?.1 ?? ""
    var paths = campaigns.matches(of: /"(\w+)"/).map { "Attack/\($0.1)" }
    paths += ["RealSystemd/checks", "RealSystemd/power", "RealSystemd/life", "RealSystemd/fingers"]
    var attacks: [String: Set<String>] = [:]
    for path in paths {
      let source = (try? SourceTree.text(of: "Tests/\(path).py")) ?? ""
      let functions = source.matches(of: /\ndef (\w+)\(/).map { String($0.1) }
      attacks[path.components(separatedBy: "/")[1]] = Set(functions)
    }
    return attacks
  }()

  /// Whether there is a test `Suite.test`, a suite `Suite`, an attack `campaign.function` or a campaign
  /// `campaign.py` of this name.
  static func exists(_ name: some StringProtocol) -> Bool {
    let parts = String(name).components(separatedBy: ".")
    guard let first = parts.first, parts.count < 3 else { return false }
    guard parts.count == 2 else { return suites[first] != nil }
    if let functions = attacks[first] { return parts[1] == "py" || functions.contains(parts[1]) }
    return suites[first]?.contains(parts[1]) == true
  }

  /// Finds suites, which begin in the first column, behind their attribute or below it, and the functions
  /// in them that are marked as tests.
  private static func read(_ file: SourceFile, into suites: inout [String: Set<String>]) {
    var suite = ""
    var isTest = false
    for line in file.lines {
      if line.first != " ", let name = name(behind: ["struct", "class", "extension"], in: line) {
        suite = name
      }
      if line.contains("@Test") { isTest = true }
      guard isTest, let name = name(behind: ["func"], in: line) else { continue }
      suites[suite, default: []].insert(name)
      isTest = false
    }
  }

  /// The name that follows one of `keywords`.
  private static func name(behind keywords: Set<Substring>, in line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let place = words.firstIndex(where: keywords.contains), place + 1 < words.count else {
      return nil
    }
    return String(words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }
}
