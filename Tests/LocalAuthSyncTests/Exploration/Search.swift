import Foundation
import LocalAuthCore
import Synchronization

@testable import LocalAuthSync

/// All situations that any order of so many events leads to, breadth first.
///
/// A situation is kept as the way to it, one byte less two bits an event, and known by a hash of 64 bits.
struct Search {
  struct Violation: Hashable {
    let fault: Fault
    let trace: [Event]
  }

  let order: ModelOrder
  let alphabet: Event.Alphabet
  let depth: Int
  /// Up to which depth each lie is tried in each situation.
  let liesUpTo: Int
  private(set) var states = 0
  private(set) var transitions = 0
  private(set) var lies = 0
  private(set) var perLevel: [Int] = []
  private(set) var premises = Premises()
  private(set) var violations: [Violation] = []
  private let events: [(code: UInt64, event: Event)]
  private let beginning: World

  init(_ order: ModelOrder, _ alphabet: Event.Alphabet, depth: Int, liesUpTo: Int = 0) {
    self.order = order
    self.alphabet = alphabet
    self.depth = depth
    self.liesUpTo = liesUpTo
    beginning = World(order)
    events = Event.all.enumerated().filter { $0.element.belongs(to: alphabet) }
      .map { (UInt64($0.offset + 1), $0.element) }
  }

  private struct Part {
    var found: [(fingerprint: Int, path: UInt64)] = []
    var transitions = 0
    var lies = 0
    var premises = Premises()
    var violations: [Violation] = []
  }

  /// How much was explored, and how often each property was at risk.
  var report: String {
    "\(alphabet.rawValue), \(order.rawValue), depth \(depth): \(states) situations, "
      + "\(transitions) transitions, \(lies) lies; at risk: \(premises.text)"
  }

  static func trace(_ path: UInt64) -> [Event] {
    (0..<10).compactMap { place in
      let code = Int(path >> (54 - 6 * UInt64(place)) & 63)
      return code == 0 ? nil : Event.all[code - 1]
    }
  }

  mutating func run() {
    var known: Set<Int> = [beginning.fingerprint]
    var level: [UInt64] = [0]
    for length in 0...depth {
      states += level.count
      perLevel.append(level.count)
      var next: [UInt64] = []
      let batch = 4096
      for start in stride(from: 0, to: level.count, by: batch) {
        let paths = Array(level[start..<min(start + batch, level.count)])
        for part in parts(paths, length, known) {
          transitions += part.transitions
          lies += part.lies
          premises.add(part.premises)
          violations += part.violations
          for one in part.found where known.insert(one.fingerprint).inserted {
            next.append(one.path)
          }
        }
        if !violations.isEmpty { return }
      }
      level = next
    }
  }

  /// Expands in as many threads as there are processors, and in an order that does not depend on them.
  private func parts(_ paths: [UInt64], _ length: Int, _ known: Set<Int>) -> [Part] {
    let size = 64
    let count = (paths.count + size - 1) / size
    let parts = Mutex([Part](repeating: Part(), count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
      var part = Part()
      for path in paths[index * size..<min((index + 1) * size, paths.count)] {
        expand(path, length, known, &part)
      }
      parts.withLock { $0[index] = part }
    }
    return parts.withLock { $0 }
  }

  private func expand(_ path: UInt64, _ length: Int, _ known: Set<Int>, _ part: inout Part) {
    guard let world = replay(path) else { return }
    do throws(Fault) {
      try world.checkStep()
      try world.checkSettled(&part.premises)
      if length <= liesUpTo { part.lies += try world.checkLies(&part.premises) }
    } catch {
      part.violations.append(Violation(fault: error, trace: Self.trace(path)))
    }
    guard length < depth else { return }
    for (code, event) in events where world.isPossible(event) {
      var successor = world
      part.transitions += 1
      let longer = path | code << (54 - 6 * UInt64(length))
      do throws(HubAlarm) {
        try successor.apply(event)
      } catch {
        let fault = Fault(property: .noFalseAlarm, why: "\(error)")
        part.violations.append(Violation(fault: fault, trace: Self.trace(longer)))
        continue
      }
      let fingerprint = successor.fingerprint
      if !known.contains(fingerprint) { part.found.append((fingerprint, longer)) }
    }
  }

  private func replay(_ path: UInt64) -> World? {
    var world = beginning
    for event in Self.trace(path) {
      do throws(HubAlarm) { try world.apply(event) } catch { return nil }
    }
    return world
  }
}
