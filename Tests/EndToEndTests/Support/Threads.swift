import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization

/// Runs `body` on so many threads at once and returns what they returned, in their order.
///
/// Rethrows the first error once all of them have ended.
func concurrently<R: Sendable>(
  _ count: Int,
  _ body: @escaping @Sendable (Int) throws -> R
) throws -> [R] {
  let results = Mutex<[Int: Result<R, any Error>]>([:])
  let threads = try (0..<count).map { index in
    try SystemThread(name: "client \(index)", stackSize: 1 << 20) {
      let result = Result { try body(index) }
      results.withLock { $0[index] = result }
    }
  }
  for thread in threads { thread.join() }
  return try (0..<count).compactMap { index in
    try results.withLock { $0[index] }?.get()
  }
}

/// Numbers of a test run; the environment can change them.
enum Settings {
  /// The seed of everything random: `SEED` of the environment, or a new one.
  static let seed = SeededGenerator.ofThisRun.seed

  /// How often the daemon is killed at a random moment: `KILLS` of the environment, or 60.
  static let kills = kills(usually: 60)

  /// The same for a test that usually makes do with `count`.
  static func kills(usually count: Int) -> Int {
    ProcessEnvironment.current["KILLS"].flatMap { Int($0) } ?? count
  }

  /// A generator of its own for the test called `name`.
  static func generator(_ name: String) -> SeededGenerator {
    let salt = name.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return SeededGenerator(seed: seed ^ salt)
  }
}
