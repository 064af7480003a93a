import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON

/// The files requested with `--prism`, a model and its properties; they are opened before anything is
/// computed.
struct PrismFiles: ~Copyable {
  static let file = Option<PrismFile?>(
    "prism",
    "FILE",
    help: "write the chain in PRISM's language, and its properties beside it"
  )

  private let file: PrismFile
  private let chain: PrismChain
  private let model: FileDraft
  private let properties: FileDraft

  /// The names of the files, and the number of states of the model.
  struct Written {
    let model: String
    let properties: String
    let states: Int
  }

  /// Returns the files that the command line of `context` requests; nil if it requests none.
  ///
  /// It fails if the chain has too many states, a file cannot be written, or a signal comes first.
  static func asked(
    _ plan: PolicyCase,
    _ context: VerbContext,
    until interruption: inout Interruption
  ) throws(Failure) -> PrismFiles? {
    guard let file = context.arguments[Self.file] else { return nil }
    let days = context.arguments[PolicySolveVerb.days].count
    let chain = try chain(plan, days, until: &interruption)
    return PrismFiles(
      file: file,
      chain: chain,
      model: try FileDraft(file.path),
      properties: try FileDraft(file.properties)
    )
  }

  /// Makes the chain on a thread, so that a signal can end it.
  private static func chain(
    _ plan: PolicyCase,
    _ days: UInt32,
    until interruption: inout Interruption
  ) throws(Failure) -> PrismChain {
    typealias Made = Swift.Result<PrismChain, PrismError>
    let (made, isComplete) = try SimulationRun<Made?>(1, nothing: nil).perform(
      threads: 1,
      until: &interruption,
      piece: { _, isStopped in
        Made { () throws(PrismError) in try PrismChain(plan, days: days, isStopped: isStopped) }
      },
      merge: { $0 = $1 }
    )
    guard isComplete, let made else {
      throw Failure(.userCancel, "Interrupted before the chain was made.")
    }
    do throws(PrismError) {
      return try made.get()
    } catch { throw Failure(.usage, "No chain is written: \(error).") }
  }

  /// Writes both files; returns what there is now.
  consuming func write(_ context: VerbContext) throws(Failure) -> Written {
    try model.keep(chain.model)
    try properties.keep(chain.properties)
    if !context.output.isQuiet {
      context.output.say(
        "The chain is in \(file.path), of at most \(chain.states) states; its properties are in "
          + "\(file.properties)."
      )
    }
    return Written(model: file.path, properties: file.properties, states: chain.states)
  }
}

/// The file to write a chain to; its properties are beside it.
struct PrismFile: ExpressibleByArgument {
  private static let ending = ".prism"

  let path: String
  /// The file of the properties.
  let properties: String

  init?(argument: String) {
    guard argument.hasSuffix(Self.ending), argument.utf8.count > Self.ending.utf8.count,
      !argument.hasSuffix("/" + Self.ending)
    else { return nil }
    path = argument
    properties = argument.dropLast(Self.ending.count) + ".props"
  }

  static var expectation: String { "a file that ends in .prism" }
}

extension JSONWriter where Sink: ~Copyable {
  /// Writes a member that says what was written, or null.
  mutating func member(_ name: String, _ written: PrismFiles.Written?) {
    guard let written else {
      key(named: name)
      return null()
    }
    member(name) {
      $0.member("model", written.model)
      $0.member("properties", written.properties)
      $0.member("states", Int64(written.states))
    }
  }
}
