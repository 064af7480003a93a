import Glibc
import LocalAuthKeyValue
import LocalAuthTables

// A thousand values set and written together, or 500 rows of a table in one write, for the comparison with as many rows of
// SQLite: prints nanoseconds for one such round and how many there are.
//
// usage: localauth-stored values|rows HOME COUNT    the home of a daemon with a device named bench

func fail(_ what: String) -> Never {
  print("localauth-stored: \(what)")
  exit(1)
}

let words = CommandLine.arguments
guard words.count == 4, let count = Int(words[3]), count > 0 else { fail("values|rows HOME COUNT") }
let device = Device("bench", home: words[2])

func writeValues(_ store: KeyValueStore, _ number: Int) {
  for key in 0..<1000 {
    do {
      try store.set(.string("value \(key) of round \(number)"), forKey: "key \(key)")
    } catch { fail("\(error)") }
  }
  guard store.synchronize() else { fail("\(store.failure.map { "\($0)" } ?? "not written")") }
}

func writeRows(_ store: TableStore, _ number: Int) {
  let rows = (0..<500).map { row in
    StoredRow("key \(row)", in: "bench", ["value": .text("value \(row) of round \(number)")])
  }
  do { try store.write(rows) } catch { fail("\(error)") }
}

/// Times rounds behind one that is not counted, with other values than an earlier run has left.
func time(_ round: (Int) -> Void) -> Double {
  let first = Int.random(in: 0..<1_000_000)
  round(first)
  let clock = ContinuousClock()
  let start = clock.now
  for number in 1...count { round(first + number) }
  let (seconds, attoseconds) = (clock.now - start).components
  return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count)
}

switch words[1] {
case "values":
  let store = KeyValueStore(on: device)
  let nanoseconds = time { writeValues(store, $0) }
  print(nanoseconds, String(store.values.count, radix: 16))
case "rows":
  let store = TableStore(on: device)
  let nanoseconds = time { writeRows(store, $0) }
  print(nanoseconds, String(500, radix: 16))
default: fail("values|rows HOME COUNT")
}
