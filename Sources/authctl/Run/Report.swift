import LocalAuthCore
import LocalAuthJSON
import LocalAuthSecret

/// The result of a verb, for people and for programs.
struct Report {
  /// Writes the members that a report has in addition to those of every report.
  typealias Members = (inout JSONWriter<JSONGrowingBuffer>) -> Void

  /// The outcome of the verb.
  var outcome: OutcomeCode
  /// The exit status: that of the outcome, unless script events are left over.
  var exit: Int32
  /// What happened, in one sentence; people read it if there is no answer.
  var message: String
  /// The requested data: lines for standard output.
  var answer: [String]
  /// A line for standard error that only repeats the exit status; nil for none.
  var remark: String?
  /// Printed on standard output instead of everything else: the bare secret, or the JSON object
  /// that contains it.
  var secret: HeldSecret?
  private let members: Members

  /// Creates the report of a success.
  ///
  /// - Parameters:
  ///   - message: What happened, in one sentence.
  ///   - answer: The requested data; if empty, the message becomes a remark.
  ///   - members: Writes further members of the JSON object.
  init(_ message: String, answer: [String] = [], members: @escaping Members = { _ in }) {
    self.init(.success, message, members: members)
    self.answer = answer
    remark = answer.isEmpty ? message : nil
  }

  /// Creates the report of an outcome, with nothing for people to read.
  init(_ outcome: OutcomeCode, _ message: String, members: @escaping Members) {
    self.outcome = outcome
    exit = outcome.exit
    self.message = message
    answer = []
    remark = nil
    self.members = members
  }

  /// Makes it the report of a failure, which people are told behind the answer.
  mutating func fail(_ outcome: OutcomeCode, _ message: String) {
    self.outcome = outcome
    exit = outcome.exit
    self.message = message
    remark = message
  }

  /// Writes the JSON object.
  func write(_ writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.beginObject()
    writeHead(&writer)
    members(&writer)
    writer.endObject()
  }

  /// Writes the members that every report has.
  func writeHead<Sink: ~Copyable>(_ writer: inout JSONWriter<Sink>) {
    writer.member("version", 1)
    writer.member("outcome", outcome.rawValue)
    writer.member("exit", Int64(exit))
    writer.member("laError", outcome.laError.map { Int64($0) })
    writer.member("message", message)
  }
}

extension JSONWriter where Sink: ~Copyable {
  /// Writes a member whose value is a string or null.
  mutating func member(_ name: String, _ value: String?) {
    key(named: name)
    if let value { string(value) } else { null() }
  }

  /// Writes a member whose value is a whole number or null.
  mutating func member(_ name: String, _ value: Int64?) {
    key(named: name)
    if let value { int(value) } else { null() }
  }

  /// Writes a member whose value is true, false or null.
  mutating func member(_ name: String, _ value: Bool?) {
    key(named: name)
    if let value { bool(value) } else { null() }
  }

  /// Writes a member whose value is an array of objects; `write` writes their members.
  mutating func member<Element>(
    _ name: String,
    _ elements: [Element],
    _ write: (Element, inout JSONWriter<Sink>) -> Void
  ) {
    key(named: name)
    beginArray()
    for element in elements {
      beginObject()
      write(element, &self)
      endObject()
    }
    endArray()
  }

  /// Writes a member whose value is an array of strings.
  mutating func member(_ name: String, _ elements: [String]) {
    key(named: name)
    beginArray()
    for element in elements { string(element) }
    endArray()
  }

  /// Writes a member whose value is an object.
  mutating func member(_ name: String, _ body: (inout JSONWriter<Sink>) -> Void) {
    key(named: name)
    beginObject()
    body(&self)
    endObject()
  }
}

/// A shared secret, wiped when its last owner releases it.
final class HeldSecret: Sendable {
  let secret: Secret

  init(_ secret: consuming Secret) { self.secret = secret }
}
