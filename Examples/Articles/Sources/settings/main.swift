import Glibc
import LocalAuthKeyValue

// The program names the device. `KeyValueStore()` is that of the user's own machine.
let store = KeyValueStore(on: Device("demo"))
guard store.synchronize() else {
  print("No settings: \(store.failure.map { "\($0)" } ?? "they are not written yet")")
  exit(1)
}
let starts = (store.integer(forKey: "starts") ?? 0) + 1
try store.set(.integer(starts), forKey: "starts")
print("Start \(starts), theme \(store.string(forKey: "theme") ?? "light").")
// What is set is written within 0.2 s by itself, but this program ends before that.
store.synchronize()
