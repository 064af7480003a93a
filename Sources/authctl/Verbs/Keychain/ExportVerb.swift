import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// `authctl keychain export`.
enum ExportVerb {
  static let format = Option<ExchangeFormat>(
    "format",
    "FORMAT",
    default: "json",
    help: "our own, or the table that another program reads"
  )

  static let command = Command(
    "export",
    abstract: "Write all items with their secrets to a file.",
    discussion: """
      Asks for a proof also where no item needs one; with --non-interactive nobody is asked, and
      items that need a proof make it fail. Nothing is written before everything is open, and nothing
      to a terminal or to a file that others can read.

        authctl keychain export --out items.json
        authctl keychain export --format keepassxc --out items.csv

      JSON keeps every byte and attribute; a table has passwords, one-time codes and notes, as they
      are: do not open it in a spreadsheet, which takes what begins with = for a formula.
      """,
    options: [
      format.declaration, InjectVerb.output.declaration, Confirmation.yes.declaration,
    ] + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { (context) throws(Failure) in try export(context) }

  private static func export(_ context: VerbContext) throws(Failure) -> Report {
    guard !context.output.wantsJSON else {
      throw Failure(.usage, "'--json' is for reports: leave it out, and give --format json.")
    }
    let file = try file(context)
    let format = context.arguments[format]
    var run = try KeychainInvocation(context)
    run.standardReason = "export all items with their secrets"
    var opened: [ExportWriter.Opened] = []
    var withoutSecret = 0
    let report = try open(format, in: run) { answers in
      for found in answers.flatMap(\.items) {
        if let data = found.data?.take() {
          opened.append(ExportWriter.Opened(item: found, secret: HeldSecret(data)))
        } else {
          withoutSecret += 1
        }
      }
    }
    guard report.outcome == .success else { return report }
    opened.sort { ItemText.order($0.item).lexicographicallyPrecedes(ItemText.order($1.item)) }
    if format != .json { try checkText(opened) }
    var writer = ExportWriter(to: file?.descriptor ?? STDOUT_FILENO)
    var left = withoutSecret
    if format == .json {
      try writeLines(opened, &writer)
    } else {
      left += try writeTable(opened, format, &writer)
    }
    try publish(file, context)
    let written = CountText.of(
      opened.count + withoutSecret - left,
      "item was exported",
      "items were exported"
    )
    var done = Report(written + ".") { _ in }
    let rest = left == 0 ? "" : " \(left) had no place or no secret there."
    done.remark = done.message + rest + " The file has the secrets as they are: guard it."
    return done
  }

  /// Opens all items of the classes that the format has, and asks for a proof if none was needed.
  private static func open(
    _ format: ExchangeFormat,
    in run: KeychainInvocation,
    _ take: ([RemoteAnswer]) -> Void
  ) throws(Failure) -> Report {
    let context = run.context
    let classes: [ItemClass] =
      format == .json ? ItemClass.stored : [.genericPassword, .internetPassword]
    let queries = classes.map { itemClass -> QueryDictionary in
      [
        QueryKey.itemClass.rawValue: .text(itemClass.rawValue),
        ItemAttribute.synchronizable.rawValue: .text(QueryKey.synchronizableAny),
        QueryKey.matchLimit.rawValue: .text("m_LimitAll"),
        QueryKey.returnData.rawValue: .boolean(true),
        QueryKey.returnAttributes.rawValue: .boolean(true),
      ]
    }
    var isProven = false
    let report = try run.copyAll(queries) { (answers, device) in
      take(answers)
      isProven = answers.contains { $0.evaluation?.isSuccess ?? false }
      let last = answers[answers.count - 1]
      let answer = last.outcome == .itemNotFound ? last.foundNothing() : last
      return KeychainReport(context: context, device: device, answer: answer).report("")
    }
    let isAsked = !context.arguments[EvaluateVerb.nonInteractive]
    guard report.outcome == .success, isAsked, !isProven else { return report }
    return try prove(in: run)
  }

  /// Asks for the person; a device on which nothing can be proven is passed.
  private static func prove(in run: KeychainInvocation) throws(Failure) -> Report {
    var call = KeychainMessages.EvaluateAccessControlCall()
    do throws(KeychainError) {
      call.accessControl = WireAccessControl(
        try AccessControl(.whenUnlocked, flags: .userPresence)
      )
    } catch {
      throw Failure(.internalError, error.sentence)
    }
    call.operation = "decrypt"
    return try run.report(Methods.evaluateAccessControl, call) { (answers, device) in
      let answer = answers[answers.count - 1]
      let passed = answer.outcome == .passcodeNotSet ? answer.foundNothing() : answer
      return KeychainReport(context: run.context, device: device, answer: passed).report("")
    }
  }

  /// The consequence of a file that cannot be made.
  private static let nothing = "Nothing was exported."

  /// Begins the file to make; nil for standard output, if that is a place for secrets.
  private static func file(_ context: VerbContext) throws(Failure) -> ReplacementFile? {
    if let path = context.arguments[InjectVerb.output] {
      try OutputPlace.check(path)
      // SAFETY: the string is a C string for the duration of the call.
      let isThere = unsafe access(path, F_OK) == 0
      if isThere, KeychainInvocation.asksOnTerminal(context.arguments) {
        try context.confirm("\(path) will be replaced.")
      }
      return try OutputPlace.begin(path, orElse: nothing)
    }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw Failure(.usage, "Standard output is a terminal: give --out FILE.")
    }
    try Output.requirePrivate()
    return nil
  }

  private static func publish(
    _ file: ReplacementFile?,
    _ context: VerbContext
  ) throws(Failure) {
    do throws(SystemError) { try file?.publish() } catch {
      throw Failure(writing: context.arguments[InjectVerb.output] ?? "", error, nothing)
    }
  }

  /// Fails if a secret is no text: a table would not keep it.
  private static func checkText(_ opened: [ExportWriter.Opened]) throws(Failure) {
    for one in opened {
      // SAFETY: the bytes are only looked at within the call.
      let isText = unsafe one.secret.secret.withUnsafeBytes { bytes in
        unsafe !bytes.contains(0) && UTF8.isText(bytes)
      }
      guard !isText else { continue }
      let names = ItemText.order(one.item)
      throw Failure(
        .keychainError,
        "The secret of \(names[2]) (account \(names[3])) is no text, which a table cannot hold: "
          + "give --format json."
      )
    }
  }

  private static func writeLines(
    _ opened: [ExportWriter.Opened],
    _ writer: inout ExportWriter
  ) throws(Failure) {
    try writer.writeHead()
    for one in opened { try writer.writeLine(one) }
  }

  /// Writes a record for each login, with its codes and notes; returns how many items had no place.
  private static func writeTable(
    _ opened: [ExportWriter.Opened],
    _ format: ExchangeFormat,
    _ writer: inout ExportWriter
  ) throws(Failure) -> Int {
    try writer.writeColumns(format)
    var records: [ExportRecord] = []
    var places: [[[UInt8]]: Int] = [:]
    let roles = Set(format.columns.map(\.role))
    var left = 0
    for one in opened {
      let record = ExportRecord(one)
      guard let role = record.secrets.keys.first, roles.contains(role) else {
        left += 1
        continue
      }
      if let index = places[record.key], records[index].secrets[role] == nil {
        records[index].join(record)
      } else {
        places[record.key] = records.count
        records.append(record)
      }
    }
    for record in records {
      var texts = record.texts
      if format == .bitwarden { texts[.kind] = record.isNote ? "note" : "login" }
      // A format without names has addresses alone.
      if !roles.contains(.title), texts[.url] == nil { texts[.url] = texts[.title] }
      try writer.writeRecord(format, texts: texts, secrets: record.secrets)
    }
    return left
  }
}

/// A record of a table in the making.
private struct ExportRecord {
  /// The bytes of what its items have in common: class, access group, name and account.
  let key: [[UInt8]]
  var texts: [ExchangeRole: String]
  var secrets: [ExchangeRole: HeldSecret]

  init(_ opened: ExportWriter.Opened) {
    func text(_ attribute: ItemAttribute) -> String {
      if case .text(let text)? = opened.item.item?.value(of: attribute) { return text }
      return ""
    }
    let isInternet = opened.item.itemClass == .internetPassword
    var name = isInternet ? text(.server) : text(.service)
    var role = ExchangeRole.password
    for (prefix, found) in [(CodeVerb.prefix, ExchangeRole.code), ("note:", .notes)]
    where !isInternet && name.hasPrefix(prefix) {
      name = String(name.dropFirst(prefix.count))
      role = found
    }
    key = [opened.item.itemClass.rawValue, text(.accessGroup), name, text(.account)].map {
      Array($0.utf8)
    }
    texts = [.title: name, .username: text(.account)]
    secrets = [role: opened.secret]
    let comment = text(.comment)
    if isInternet {
      texts[.url] = "https://\(name)\(text(.path))"
    } else if comment.contains("://") {
      texts[.url] = comment
    }
  }

  /// Whether it has notes alone.
  var isNote: Bool { secrets.keys.allSatisfy { $0 == .notes } }

  mutating func join(_ other: ExportRecord) {
    texts.merge(other.texts) { mine, _ in mine }
    secrets.merge(other.secrets) { mine, _ in mine }
  }
}

extension UTF8 {
  /// Whether bytes are valid UTF-8; they are looked at where they are.
  @unsafe
  fileprivate static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var decoder = UTF8()
    var iterator = unsafe bytes.makeIterator()
    while true {
      switch unsafe decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }
}
