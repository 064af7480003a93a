import Glibc
import LocalAuthKeyValue

// A thousand values set and written together, for the comparison with as many rows of SQLite: prints
// nanoseconds for one such round and how many values there are.
//
// usage: localauth-values HOME COUNT    the home of a daemon with a device named bench

func fail(_ what: String) -> Never {
  print("localauth-values: \(what)")
  exit(1)
}

let words = CommandLine.arguments
guard words.count == 3, let count = Int(words[2]), count > 0 else { fail("HOME COUNT") }
let store = KeyValueStore(on: Device("bench", home: words[1]))

func round(_ number: Int) {
  for key in 0..<1000 {
    do {
      try store.set(.string("value \(key) of round \(number)"), forKey: "key \(key)")
    } catch { fail("\(error)") }
  }
  guard store.synchronize() else { fail("\(store.failure.map { "\($0)" } ?? "not written")") }
}

// Other values than an earlier run has left.
let first = Int.random(in: 0..<1_000_000)
round(first)
let clock = ContinuousClock()
let start = clock.now
for number in 1...count { round(first + number) }
let (seconds, attoseconds) = (clock.now - start).components
let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
print(nanoseconds / Double(count), String(store.values.count, radix: 16))
