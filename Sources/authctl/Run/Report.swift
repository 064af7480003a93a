import LocalAuthCore
import LocalAuthJSON
import LocalAuthSecret

/// What a verb has to say at its end, for people and for programs.
struct Report {
  /// The members that a report has besides those of every report.
  typealias Members = (inout JSONWriter<JSONGrowingBuffer>) -> Void

  /// How it ended.
  var outcome: OutcomeCode
  /// The exit status: the outcome's, except where script events are left over.
  var exit: Int32
  /// What happened, in one sentence; also what people read where there is nothing else.
  var message: String
  /// What was asked for: lines for standard output.
  var answer: [String]
  /// One line that the exit status says already, for standard error; nil for none.
  var remark: String?
  /// What is printed on standard output in place of everything else: the bare secret, or the JSON
  /// object that has it.
  var secret: HeldSecret?
  private let members: Members

  /// A report of a success.
  ///
  /// - Parameters:
  ///   - message: what happened, in one sentence.
  ///   - answer: what was asked for; where there is nothing, the message is said as a remark.
  ///   - members: writes the further members of the JSON object.
  init(_ message: String, answer: [String] = [], members: @escaping Members = { _ in }) {
    self.init(.success, message, members: members)
    self.answer = answer
    remark = answer.isEmpty ? message : nil
  }

  /// A report of an outcome, with nothing for people to read.
  init(_ outcome: OutcomeCode, _ message: String, members: @escaping Members) {
    self.outcome = outcome
    exit = outcome.exit
    self.message = message
    answer = []
    remark = nil
    self.members = members
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
  /// Writes a member that is a string or null.
  mutating func member(_ name: String, _ value: String?) {
    key(named: name)
    if let value { string(value) } else { null() }
  }

  /// Writes a member that is a whole number or null.
  mutating func member(_ name: String, _ value: Int64?) {
    key(named: name)
    if let value { int(value) } else { null() }
  }

  /// Writes a member that is true or false.
  mutating func member(_ name: String, _ value: Bool) {
    key(named: name)
    bool(value)
  }

  /// Writes a member that is an array of objects, whose members `write` writes.
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

  /// Writes a member that is an array of strings.
  mutating func member(_ name: String, _ elements: [String]) {
    key(named: name)
    beginArray()
    for element in elements { string(element) }
    endArray()
  }

  /// Writes a member that is an object.
  mutating func member(_ name: String, _ body: (inout JSONWriter<Sink>) -> Void) {
    key(named: name)
    beginObject()
    body(&self)
    endObject()
  }
}

/// A secret that several can look at, and that is wiped when the last of them lets go.
final class HeldSecret: Sendable {
  let secret: Secret

  init(_ secret: consuming Secret) { self.secret = secret }
}
