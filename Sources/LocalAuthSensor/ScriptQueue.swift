/// Scripts that wait for the next evaluations of a device.
///
/// Scripts to be played a number of times go first, in the order they came; one to be played always
/// answers whenever none of those waits. `Script` is whatever the service keeps of one: its events
/// and the memory that holds its secrets.
public struct ScriptQueue<Script> {
  /// How often a script is played.
  public enum Repetition: Hashable, Sendable {
    case times(Int)
    case always
  }

  /// Why a script cannot wait.
  public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// So many wait already.
    case full
    /// It was to be played less than once or too often.
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

  /// The most scripts that wait.
  public static var mostWaiting: Int { 64 }
  /// The most often that one is played, other than always.
  public static var mostTimes: Int { 10_000 }

  private var entries: [Entry] = []
  private var standing: Script?

  /// A queue without scripts.
  public init() {}

  /// How many evaluations are provided for; nil for all to come.
  public var plannedCount: Int? {
    standing == nil ? entries.reduce(0) { $0 + $1.times } : nil
  }

  /// Lets `script` wait; one to be played always takes the place of the last such.
  public mutating func enqueue(_ script: Script, _ repetition: Repetition) throws(Refusal) {
    switch repetition {
    case .always: standing = script
    case .times(let times):
      guard (1...Self.mostTimes).contains(times) else { throw .badRepetition }
      guard entries.count < Self.mostWaiting else { throw .full }
      entries.append(Entry(script: script, times: times))
    }
  }

  /// The script for the evaluation that begins, if there is one.
  public mutating func next() -> Script? {
    guard !entries.isEmpty else { return standing }
    entries[0].times -= 1
    return entries[0].times > 0 ? entries[0].script : entries.removeFirst().script
  }

  /// Forgets every script.
  public mutating func removeAll() { self = ScriptQueue() }
}

extension ScriptQueue: Sendable where Script: Sendable {}
extension ScriptQueue.Entry: Sendable where Script: Sendable {}
