// What the benchmarks of a hub drive: `localauth-sync`, as the daemon would.
//
//   localauth-hubs role CODE                               prints role and password, for pgbench
//   localauth-hubs push SYNC DIRECTORY CODE COUNT SIZE     pushes entries with one body each, one behind the other
//   localauth-hubs pull SYNC DIRECTORY CODE COUNT SIZE     pulls as many from the beginning, once they were pushed
//   localauth-hubs news SYNC DIRECTORY CODE COUNT          says in how many ms another device hears of a push, at the median

import Glibc
import LocalAuthCrypto
import LocalAuthSecret
import LocalAuthSync

struct Mistake: Error {
  let what: String
}

func code(_ path: String) throws -> InvitationCode {
  let file = try File(path).bytes
  guard let code = InvitationCode(typed: Secret(copying: file.prefix { $0 != 10 })) else {
    throw Mistake(what: "\(path) has no code")
  }
  return code
}

func run(_ words: [String]) throws {
  switch (words.first, words.count) {
  case ("role", 2):
    let code = try code(words[1])
    guard let role = code.hubRole(), let password = code.hubPassword() else { return }
    // SAFETY: the bytes are copied while they are lent; this password opens a benchmark's server.
    let text = unsafe password.text.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    print(role.text, text)
  case ("push", 6), ("pull", 6):
    guard let count = Int(words[4]), let size = Int(words[5]) else { throw Mistake(what: "counts") }
    let zone = try Zone(try Worker(words[1], words[2], code(words[3])))
    try zone.push(count, size)
    if words[0] == "pull" { print(try zone.pull(count)) }
  case ("news", 5):
    guard let count = Int(words[4]) else { throw Mistake(what: "counts") }
    let code = try code(words[3])
    let here = try Zone(try Worker(words[1], words[2], code))
    print(try here.news(count, to: try Worker(words[1], words[2], code)))
  default: throw Mistake(what: "usage: see the source")
  }
}

do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch {
  print("localauth-hubs: \(error)")
  exit(1)
}
