/// The scripts queued for the next evaluations of a device.
///
/// Scripts with a number of repetitions go first, in order of arrival; a script that repeats always
/// is used when none of those remains. `Script` is what the service stores: the events, and the
/// memory that holds their secrets.
public struct ScriptQueue<Script> {
  /// How often a script is played.
  public enum Repetition: Hashable, Sendable {
    case times(Int)
    case always
  }

  /// Why a script cannot be queued.
  public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The queue is full.
    case full
    /// The number of repetitions is below one or too high.
    case badRepetition

    /// What is wrong and what to do, in one sentence.
    public var description: String {
      switch self {
      case .full:
        "\(ScriptQueue.mostWaiting) scripts wait for an evaluation already; reset the sensor first."
      case .badRepetition:
        "A script is played from 1 to \(ScriptQueue.mostTimes) times, or always."
      }
    }
  }

  fileprivate struct Entry {
    var script: Script
    var times: Int
  }

  /// The maximum number of queued scripts.
  public static var mostWaiting: Int { 64 }
  /// The maximum number of repetitions, other than always.
  public static var mostTimes: Int { 10_000 }

  private var entries: [Entry] = []
  private var standing: Script?

  /// Creates an empty queue.
  public init() {}

  /// The queued scripts, each once.
  public var scripts: [Script] { entries.map(\.script) + (standing.map { [$0] } ?? []) }

  /// The number of evaluations that have a script; nil if all have one.
  public var plannedCount: Int? {
    standing == nil ? entries.reduce(0) { $0 + $1.times } : nil
  }

  /// Queues `script`; one that repeats always replaces an earlier one that does.
  public mutating func enqueue(_ script: Script, _ repetition: Repetition) throws(Refusal) {
    switch repetition {
    case .always: standing = script
    case .times(let times):
      guard (1...Self.mostTimes).contains(times) else { throw .badRepetition }
      guard entries.count < Self.mostWaiting else { throw .full }
      entries.append(Entry(script: script, times: times))
    }
  }

  /// Returns the script for an evaluation that begins, if there is one.
  public mutating func next() -> Script? {
    guard !entries.isEmpty else { return standing }
    entries[0].times -= 1
    return entries[0].times > 0 ? entries[0].script : entries.removeFirst().script
  }

  /// Removes every script.
  public mutating func removeAll() { self = ScriptQueue() }
}

extension ScriptQueue: Sendable where Script: Sendable {}
extension ScriptQueue.Entry: Sendable where Script: Sendable {}
