import Foundation
import NotesDevice

/// What the program hears of while it waits for a line.
enum Wake: UInt8 {
  case willBecomeUnavailable = 1
  case didBecomeAvailable
  /// Somebody else changed shared notes.
  case shared
  /// Another device chose something for all of them.
  case settings
  /// Ctrl-Z: the person turns to something else.
  case stop
  /// Ctrl-C, or the terminal is gone.
  case end

  init(_ news: AvailabilityNews) {
    switch news {
    case .willBecomeUnavailable: self = .willBecomeUnavailable
    case .didBecomeAvailable: self = .didBecomeAvailable
    }
  }
}

/// Brings what threads and signals tell to the loop of the program, in its order.
struct Wakes: Sendable {
  /// What is readable once somebody rang.
  let descriptor: Int32
  private let bell: Int32

  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      guard fcntl(end, F_SETFD, FD_CLOEXEC) == 0, fcntl(end, F_SETFL, O_NONBLOCK) == 0 else {
        return nil
      }
    }
    (descriptor, bell) = (ends[0], ends[1])
  }

  /// Tells the loop; also a signal's handler may.
  func ring(_ wake: Wake) {
    var byte = wake.rawValue
    _ = write(bell, &byte, 1)
  }

  /// What was told, oldest first.
  func next() -> Wake? {
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1 ? Wake(rawValue: byte) : nil
  }

  /// Has the signals ring that stop and end a program.
  func catchSignals() {
    Self.ofSignals = self
    signal(SIGTSTP) { _ in Wakes.ofSignals?.ring(.stop) }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in Wakes.ofSignals?.ring(.end) }
    }
  }

  /// A handler can hold nothing; this is set once, before the first signal is caught.
  nonisolated(unsafe) private static var ofSignals: Wakes?
}
