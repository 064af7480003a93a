import Foundation

let url = URL(fileURLWithPath: CommandLine.arguments[1])
try Data("a note".utf8).write(to: url, options: .completeFileProtection)
print(String(decoding: try Data(contentsOf: url), as: UTF8.self))

let store = NSUbiquitousKeyValueStore.default
store.set("dark", forKey: "theme")
guard store.synchronize() else { fatalError("the store cannot be reached") }
print(store.string(forKey: "theme") ?? "no theme", NSUbiquitousKeyValueStoreServerChange)
