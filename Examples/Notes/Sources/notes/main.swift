import Foundation
import LocalAuthEmbedded
import LocalAuthFiles
import NotesDevice

/// Ends with what was wrong, in one line.
func fail(_ words: String, _ status: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data("\(words)\n".utf8))
  exit(status)
}

var words = CommandLine.arguments.dropFirst()
let environment = ProcessInfo.processInfo.environment
var home = URL(fileURLWithPath: environment["HOME"] ?? NSHomeDirectory())
  .appendingPathComponent(".local/share/localauth-notes")
if words.first == "--home" {
  guard let directory = words.dropFirst().first else { fail(Words.usage, 2) }
  home = URL(fileURLWithPath: directory)
  words = words.dropFirst(2)
}

do {
  // The device that `LOCALAUTH_DEVICE` names, or else the person's own machine.
  let device = try Device.fromEnvironment()
  switch Array(words) {
  case ["receive"]:
    let text = FileHandle.standardInput.readDataToEndOfFile()
    guard !text.isEmpty else { fail("Nothing came on standard input.") }
    guard text.count <= NotesApp.textLimit else { fail("A note has at most 64 KiB.") }
    try NotesApp.receive(Secret(copying: text), home: home, device: device)
  case []:
    guard let terminal = Terminal(), let wakes = Wakes() else { fail("notes needs a terminal.", 2) }
    if let hindrance = NotesApp.hindrance(of: device) { fail(hindrance) }
    let start = ContinuousClock.now
    let now = { ContinuousClock.now - start }
    wakes.catchSignals()
    let delegate = Availability.Delegate { wakes.ring(Wake($0)) }
    let app = try NotesApp(
      home: home,
      device: device,
      isAvailable: { Availability.isAvailable },
      now: now
    )
    let news = News()
    app.onSharedNews {
      news.add($0)
      wakes.ring(.shared)
    }
    let observer = app.onSettingsNews { wakes.ring(.settings) }
    Program(app, terminal, wakes, news, now).run()
    withExtendedLifetime((delegate, observer)) {}
  default: fail(Words.usage, 2)
  }
} catch { fail("\(error)") }
