import Glibc
import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON
import LocalAuthPolicies
import LocalAuthUnix

/// The file to write the cheapest policy to.
struct ChosenFile {
  static let file = Option<String?>(
    "out",
    "FILE",
    source: .files,
    help: "write the policy file of the cheapest"
  )
  static let name = Option<String?>(
    "name",
    "NAME",
    help: "the name of the policy that is written, else \(usualName)"
  )
  static let replace = Flag("replace", help: "let --out take the place of a file that is there")
  private static let usualName = "chosen"
  static let declarations = [file.declaration, name.declaration, replace.declaration]

  private let path: String
  private let name: String
  private let replaces: Bool
  private let catalog: PolicyCatalog
  private let draft: ReplacementFile

  /// Returns the file that the command line of `context` asks for; nil if it asks for none.
  ///
  /// It fails before anything is computed if the name cannot be used, if the file cannot be written, or
  /// if one is there.
  static func asked(
    _ catalog: PolicyCatalog,
    _ context: VerbContext
  ) throws(Failure) -> ChosenFile? {
    let given = context.arguments[Self.name]
    guard let path = context.arguments[file] else {
      guard given == nil, !context.arguments[replace] else {
        throw Failure(.usage, "--name and --replace are about a file, so they need --out FILE.")
      }
      return nil
    }
    let name = given ?? usualName
    // Where the daemon reads policies, the file would be what is asked for under this name everywhere.
    guard catalog.origin(of: name)?.word != "shipped" else {
      throw Failure(.usage, "--name \(name) is a policy that ships: give a name of your own.")
    }
    var policy = Policy(name: name, summary: "A policy.", requirement: .passcode)
    policy.fallback = .forbidden
    if case .failure(let error) = catalog.check(Self.text(policy, ""), file: "--name") {
      throw Failure(.usage, "\(error)")
    }
    let asked = ChosenFile(
      path: path,
      name: name,
      replaces: context.arguments[replace],
      catalog: catalog,
      draft: try OutputPlace.begin(path)
    )
    // SAFETY: the string is a C string for the length of the call.
    if !asked.replaces, unsafe access(path, F_OK) == 0 { throw asked.isThere }
    return asked
  }

  private var isThere: Failure {
    Failure(.usage, "\(path) is there already: name another file, or give --replace.")
  }

  /// Writes the policy of `chosen` and returns the path; nil if there is nothing to write.
  func write(_ chosen: ChosenPolicy?) throws(Failure) -> String? {
    guard let chosen else { return nil }
    let candidate = chosen.candidate
    let words = candidate.policy.requirement.words(candidate.policy.presentation)
    let policy = candidate.policy(
      named: name,
      summary: words.prefix(1).uppercased() + words.dropFirst() + "."
    )
    let device = "lockout profile \(candidate.lockout.name), delays \(candidate.delays.name)"
    let bytes = Self.text(policy, "Chosen by authctl policy choose, for a device with \(device).")
    guard case .success(policy) = catalog.check(bytes, file: path) else {
      throw Failure(.internalError, "The policy cannot be read back, so nothing was written.")
    }
    do throws(SystemError) {
      try put(bytes)
    } catch {
      if error.code == EEXIST { throw isThere }
      throw Failure(writing: path, error, "Nothing was written.")
    }
    return path
  }

  /// A file that others may read, as the daemon of the system has to, whatever the mask for new files.
  private func put(_ bytes: [UInt8]) throws(SystemError) {
    guard fchmod(draft.descriptor, 0o644) == 0 else {
      throw SystemError("fchmod", code: errno, subject: path)
    }
    guard Output.write(bytes, to: draft.descriptor) else {
      throw SystemError("write", code: errno, subject: path)
    }
    try draft.publish(replacing: replaces)
  }

  /// The policy as a file, a key on each line.
  ///
  /// It states no `acr`: the class is then that of its name, and for a user's own policy the users'.
  static func text(_ policy: Policy, _ source: String) -> [UInt8] {
    guard case .object(var members) = PolicyFile.json(policy).content else { return [] }
    members.removeAll { $0.key == "acr" }
    if !source.isEmpty {
      members.insert(.init(key: "source", value: JSONValue(.string(source))), at: 2)
    }
    let lines = members.map { member in
      var line: [UInt8] = []
      // Writing fails only for non-finite numbers, and there are none.
      try? JSONValue(.object([member])).write(into: &line)
      return "  " + String(decoding: line.dropFirst().dropLast(), as: UTF8.self)
    }
    return Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
  }
}
