import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// What befalls a device in the middle of what its person asked for.
enum SyncBlow {
  /// Its daemon is ended at a step.
  case step(Int, StepKiller.Mode)
  /// Its daemon is killed when its hub has got so many requests.
  case request(Int)
  /// The program that is connected to its hub is killed then.
  case worker(Int)
  /// The connection breaks after so many bytes of a side.
  case cut(HubProxy.Side, Int)
}

/// Blows to devices that reach their hub through a proxy.
///
/// `SYNC_CUTS` says how many there are of each kind; `make nightly` asks for many.
struct SyncBlows {
  /// How much happens while something is done.
  struct Extent {
    var steps = 0
    var passed = HubProxy.Passed()
  }

  let proxy: HubProxy
  private let killer: StepKiller
  private let scratch: Scratch
  private let counted: String

  private static let most = ProcessEnvironment.current["SYNC_CUTS"].flatMap { Int($0) } ?? 2

  init(_ proxy: HubProxy, in scratch: Scratch) throws {
    self.proxy = proxy
    self.scratch = scratch
    killer = try StepKiller(in: scratch)
    counted = scratch.file("counted")
  }

  /// Looks how much happens while `body` is done with a machine.
  func measure(_ machine: SyncedMachine, _ body: () throws -> Void) throws -> Extent {
    try machine.crash(into: killer.environment(.killed, killedAt: 0, countingIn: counted))
    proxy.begin(.none)
    try Files.write([], to: counted)
    try body()
    let extent = Extent(steps: try Files.read(counted).count, passed: proxy.passed)
    Files.remove(counted)
    return extent
  }

  /// Blows all over something of this extent, where the seed says.
  func all(over extent: Extent) -> [SyncBlow] {
    var generator = Settings.generator("blows")
    let few = (Self.most + 2) / 3
    /// Numbers from 1 to `count`, one in each of as many parts of it.
    func places(_ parts: Int, _ count: Int) -> [Int] {
      (0..<min(parts, count)).map { part in
        1 + (part * count + Int.random(in: 0..<count, using: &generator)) / min(parts, count)
      }
    }
    let modes = [StepKiller.Mode.killed, .powerCut, .scattered]
    let requests = extent.passed.requests
    var blows: [SyncBlow] = []
    for (index, place) in places(Self.most, extent.steps).enumerated() {
      blows.append(.step(place, modes[index % modes.count]))
    }
    for place in places(few, requests) { blows.append(.request(place)) }
    for place in places(few, requests) { blows.append(.worker(place)) }
    for side in HubProxy.Side.allCases {
      for place in places(few, extent.passed.bytes[side] ?? 0) { blows.append(.cut(side, place)) }
    }
    return blows
  }

  /// Does something with a machine that is struck meanwhile; if its daemon was ended, another one runs then.
  func strike(
    _ machine: SyncedMachine,
    _ blow: SyncBlow,
    _ body: () throws -> Void
  ) throws {
    defer { Files.remove(counted) }
    if case .step(let step, let mode) = blow {
      try machine.crash(into: killer.environment(mode, killedAt: step, countingIn: counted))
      try Files.write([], to: counted)
    }
    let processID = machine.daemon.processID
    let mischief: HubProxy.Mischief =
      switch blow {
      case .step: .none
      case .request(let number): .atRequest(number) { kill(processID, SIGKILL) }
      case .worker(let number):
        .atRequest(number) {
          for child in Processes.children(of: processID) { kill(child, SIGKILL) }
        }
      case .cut(let side, let count): .trip(side, after: count)
      }
    proxy.begin(mischief)
    do { try body() } catch is SyncedMachine.CutOff {
      // What it did until then counts.
    }
    proxy.begin(.none)
    switch blow {
    case .step, .request: try machine.crash()
    case .worker, .cut: break
    }
  }
}
