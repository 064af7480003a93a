import Foundation
import LocalAuthEmbedded
import LocalAuthFiles
import NotesDevice

/// Ends with what was wrong, in one line.
func fail(_ words: String, _ status: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data("\(words)\n".utf8))
  exit(status)
}

guard CommandLine.arguments.count == 2, let path = CommandLine.arguments.last, path.first != "-"
else {
  fail("usage: notes-open FILE    show the notes of a file that 'export' wrote", 2)
}
do {
  let device = try Device.fromEnvironment()
  if let hindrance = NotesApp.hindrance(of: device) { fail(hindrance) }
  let message = try Data(contentsOf: URL(fileURLWithPath: path))
  guard let notes = try ExportReader(device: device).notes(of: message) else {
    fail("No password of files is remembered here: type 'remember' in notes.")
  }
  for note in notes {
    // A program may read it as it is; on a terminal nothing in it may drive that.
    let text = Secret(copying: note)
    let shown = isatty(STDOUT_FILENO) == 1 ? text.shown() : text
    shown.withUnsafeBytes { FileHandle.standardOutput.write(Data($0)) }
    FileHandle.standardOutput.write(Data("\n".utf8))
  }
} catch { fail(NotesApp.words(of: error)) }
