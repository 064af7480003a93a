import Foundation

let url = URL(fileURLWithPath: CommandLine.arguments[1])
try Data("a note".utf8).write(to: url, options: .completeFileProtection)
print(String(decoding: try Data(contentsOf: url), as: UTF8.self))
