import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthSecret

/// `authctl keychain import`.
enum ImportVerb {
  static let file = Argument<String>(
    "FILE",
    source: .files,
    help: "the file; - for standard input"
  )
  static let dryRun = Flag("dry-run", help: "say what would be added, and add nothing")

  static let command = Command(
    "import",
    abstract: "Add the items of a file.",
    discussion: """
      Reads what keychain export writes, and the tables (CSV) that Bitwarden, 1Password, KeePassXC,
      Chrome and Firefox export. A record becomes an item for its password, whose service is its name
      or else its host; its one-time code becomes an item for keychain code, and its notes one whose
      service begins with note:. Addresses become comments. Records without a secret and other columns
      are left out, and named.

        authctl keychain import passwords.csv --dry-run
        authctl keychain import passwords.csv --access-control userPresence

      Records of which an item is there already are left out, or change it with --update. If a line
      of a file has a problem, nothing is added; what comes through a pipe is added up to the end,
      besides such lines. Then delete the file. --access-control, --accessible and --access-group count
      for every item, also where a file of ours says otherwise.
      """,
    arguments: [file.declaration],
    options: [
      dryRun.declaration, AddVerb.updates.declaration, ItemOptions.accessControl.declaration,
      ItemOptions.eachUse.declaration, ItemOptions.accessible.declaration,
      ItemOptions.group.declaration,
    ] + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { (context) throws(Failure) in try load(context) }

  private static func load(_ context: VerbContext) throws(Failure) -> Report {
    let path = context.arguments[file]
    // SAFETY: the string is a C string for the duration of the call.
    let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure(.usage, errno: errno, "\(path) cannot be read") }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    guard isatty(descriptor) == 0 else {
      throw Failure(.usage, "Standard input is a terminal: name a file, or pipe one in.")
    }
    guard descriptor != STDIN_FILENO || !takesStandardInput(context.arguments) else {
      throw Failure(.usage, "Standard input is the file: give secrets by other descriptors.")
    }
    let arguments = ItemArguments(context.arguments)
    let given = GivenAttributes(
      dictionary: try arguments.item(),
      protection: arguments.protection
    )
    var run = ImportRun(try KeychainInvocation(context, makesItems: true), given)
    let start = lseek(descriptor, 0, SEEK_CUR)
    let isChecked = start >= 0
    if isChecked {
      try run.read(descriptor, adding: false)
      guard run.problems.isEmpty else { return run.report("nothing was added") }
      lseek(descriptor, start, SEEK_SET)
    }
    if context.arguments[dryRun] {
      if !isChecked { try run.read(descriptor, adding: false) }
      return run.report("nothing was added")
    }
    try run.read(descriptor, adding: true)
    return run.report(nil)
  }

  private static func takesStandardInput(_ arguments: ParsedArguments) -> Bool {
    KeychainInvocation.descriptors(arguments).contains(Int(STDIN_FILENO))
      || arguments[EvaluateVerb.script]?.isStandardInput ?? false
  }
}

/// An import in progress, and what has come of it.
struct ImportRun {
  private let invocation: KeychainInvocation
  private let given: GivenAttributes
  private var context: VerbContext { invocation.context }

  /// What is wrong, by line.
  private(set) var problems: [ExchangeProblem] = []
  private var remarks: [ExchangeProblem] = []
  private var records = 0
  private var (added, changed, present) = (0, 0, 0)
  private var wouldAdd = 0

  init(_ invocation: KeychainInvocation, _ given: GivenAttributes) {
    self.invocation = invocation
    self.given = given
  }

  /// Reads a file to its end, and adds its items or only checks them.
  ///
  /// What no record can help, such as a locked device, ends it at once.
  mutating func read(_ descriptor: Int32, adding isAdding: Bool) throws(Failure) {
    (problems, remarks, records, wouldAdd, present) = ([], [], 0, 0, 0)
    do throws(Failure) {
      var reader = try open(descriptor)
      while let item = next(&reader) {
        if let remark = item.remark { remarks.append(ExchangeProblem(item.line, remark)) }
        guard !item.dictionaries.isEmpty, try checkHasUse(ofPasswordFor: item) else { continue }
        if isAdding { try take(item) } else { try look(at: item) }
      }
      if !reader.leftOut.isEmpty {
        let columns = reader.leftOut.joined(separator: ", ")
        remarks.append(ExchangeProblem(1, "These columns have no place in an item: \(columns)."))
      }
      try checkEnd(&reader)
    } catch {
      var failure = error
      let done = added + changed
      // An advice ends with a command, so nothing may stand behind it.
      let head =
        done == 0
        ? "Nothing was added."
        : CountText.of(done, "item was", "items were") + " added or changed, and then no more."
      failure.message = "\(head) \(failure.message)"
      throw failure
    }
  }

  /// Notes a record whose items would be open without the application password that is given.
  private mutating func checkHasUse(
    ofPasswordFor item: borrowing ExchangeItem
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      for dictionary in item.dictionaries {
        try KeychainInvocation.checkHasUse(ofPasswordFor: dictionary, context)
      }
      return true
    } catch {
      guard error.outcome == .usage else { throw error }
      problems.append(ExchangeProblem(item.line, error.message))
      return false
    }
  }

  private func open(_ descriptor: Int32) throws(Failure) -> ExchangeReader {
    do throws(ExchangeProblem) {
      return try ExchangeReader(descriptor, given)
    } catch {
      throw Failure(.usage, error.message)
    }
  }

  /// Returns the items of the next record without a problem; nil at the end, or where reading on
  /// makes no sense.
  private mutating func next(_ reader: inout ExchangeReader) -> ExchangeItem? {
    while problems.count < 1000 {
      do throws(ExchangeProblem) {
        guard let item = try reader.next() else { return nil }
        records += 1
        if records <= ExchangeLimits.records { return item }
        let message = "There are more than \(ExchangeLimits.records) records."
        problems.append(ExchangeProblem(item.line, message))
        return nil
      } catch {
        problems.append(error)
      }
    }
    return nil
  }

  private func checkEnd(_ reader: inout ExchangeReader) throws(Failure) {
    switch reader.readError() {
    case 0: return
    case EFBIG:
      let most = ExchangeLimits.record >> 20
      throw Failure(.usage, "The file cannot be read: a record has more than \(most) MiB.")
    case let error: throw Failure(.usage, errno: error, "The file cannot be read")
    }
  }

  /// Counts what would be added; whether it is there already is looked up where that is all.
  private mutating func look(at item: borrowing ExchangeItem) throws(Failure) {
    var isPresent = false
    if context.arguments[ImportVerb.dryRun] {
      for dictionary in item.dictionaries
      where try invocation.count(ItemDivision(of: dictionary).parts.query) > 0 {
        isPresent = true
      }
    }
    if isPresent { present += 1 } else { wouldAdd += item.dictionaries.count }
  }

  /// Adds the items of one record: all of them or none.
  private mutating func take(_ item: borrowing ExchangeItem) throws(Failure) {
    let answer = try invocation.addAll(item)
    switch answer.outcome {
    case .success: added += item.dictionaries.count
    case .duplicateItem where context.arguments[AddVerb.updates]: try update(item)
    case .duplicateItem: present += 1
    default:
      let device = try context.device()
      try note(KeychainReport(context: context, device: device, answer: answer).report(""), item)
    }
  }

  /// Changes the items of a record that are there, and adds the others.
  private mutating func update(_ item: borrowing ExchangeItem) throws(Failure) {
    for index in item.dictionaries.indices {
      var single = invocation
      if let secret = item.secret(at: index) { single.data = HeldSecret(secret) }
      let stored = try AddVerb.store(item.dictionaries[index], in: single)
      guard stored.report.outcome == .success else { return try note(stored.report, item) }
      if stored.wasThere { changed += 1 } else { added += 1 }
    }
  }

  /// Notes what is wrong with a record, or ends the import with what is wrong with the device.
  private mutating func note(
    _ report: Report,
    _ item: borrowing ExchangeItem
  ) throws(Failure) {
    switch report.outcome {
    case .usage, .keychainError, .accessGroupNotAllowed, .duplicateItem, .itemNotFound:
      problems.append(ExchangeProblem(item.line, report.message))
    default: throw Failure(report.outcome, report.message)
    }
  }

  /// Says what came of it; `end` says that nothing did.
  func report(_ end: String?) -> Report {
    for problem in problems + remarks {
      context.output.say("line \(problem.line): \(problem.message)")
    }
    var parts: [String] = []
    if !problems.isEmpty {
      parts.append(CountText.of(problems.count, "line has a problem", "lines have problems"))
    }
    if let end {
      if problems.isEmpty {
        parts.append(CountText.of(wouldAdd, "item") + " would be added")
        if present > 0 {
          parts.append(CountText.of(present, "record is", "records are") + " there already")
        }
      }
      parts.append(end)
    } else {
      parts.append(CountText.of(added, "item was", "items were") + " added")
      if changed > 0 { parts.append(CountText.of(changed, "was", "were") + " changed") }
      if present > 0 {
        parts.append(CountText.of(present, "record was", "records were") + " there already")
      }
    }
    let outcome: OutcomeCode = problems.isEmpty ? .success : .usage
    let message = parts.joined(separator: ", ") + "."
    var report = Report(outcome, message) { [self] writer in
      writer.member("records", Int64(records))
      writer.member("added", Int64(added))
      writer.member("changed", Int64(changed))
      writer.member("present", Int64(present))
      writer.member("problems", problems + remarks) { problem, writer in
        writer.member("line", Int64(problem.line))
        writer.member("message", problem.message)
      }
    }
    report.remark = message
    return report
  }
}
