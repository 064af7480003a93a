import Glibc
import LocalAuthTables

// The program names the device. `TableStore()` is that of the user's own machine.
let store = TableStore(on: Device("demo"))

/// Prints what changed since `token`, and returns the token for the next time.
func show(since token: String?) throws(TableFailure) -> String {
  var token = token
  while true {
    let changes = try store.changes(since: token)
    for row in changes.rows where row.table == "groceries" {
      print(row.columns.map { "\(row.name): \(text($0["count"]))" } ?? "\(row.name): gone")
    }
    guard changes.hasMore else { return changes.token }
    token = changes.token
  }
}

func text(_ value: CellValue?) -> String {
  guard case .integer(let number)? = value else { return "some" }
  return "\(number)"
}

do throws(TableFailure) {
  try store.write([
    StoredRow("milk", in: "groceries", ["count": .integer(2)]),
    StoredRow("bread", in: "groceries", ["shop": .text("corner")]),
  ])
  let token = try show(since: nil)
  print("Then:")
  // One column changes, and the others stay as they are.
  try store.write([
    StoredRow("bread", in: "groceries", ["count": .integer(1)]), .deleted("milk", in: "groceries"),
  ])
  _ = try show(since: token)
} catch {
  print("Nothing was written. \(error)")
  exit(1)
}
