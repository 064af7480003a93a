import CLocalAuthLinux
import Glibc
import LocalAuthCore
import LocalAuthFiles
import LocalAuthUnix

/// `authctl file run`.
enum FileRunVerb {
  static let command = Command(
    "run",
    abstract: "Run a command with the content of a protected file.",
    discussion: """
      Each {} among the command's words, not inside of a longer one, becomes the path of a file in
      memory that has the content. It cannot be changed, has no name on any disk, and is gone with the
      command, which keeps what it has read also when the device is locked.

        authctl --device demo file run notes.txt -- grep note {}
      """,
    arguments: [FileVerbs.file.declaration, NextProgram.words.declaration],
    options: [FileVerbs.sealedOnly.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let path = context.arguments[FileVerbs.file]
    guard NextProgram.hasPlace else {
      throw Failure(
        .usage,
        "Write {}, as a word of its own, where the command has the file. Nothing was run."
      )
    }
    // SAFETY: the name is a C string for the duration of the call.
    let made = unsafe la_memory_file("protected")
    guard made >= 0 else { throw failed(-made) }
    let memory = FileDescriptor(owning: made)
    // Before a key is asked for.
    let program = try NextProgram(context, file: "/proc/self/fd/\(memory.rawValue)")
    let files = try context.protectedFiles()
    let file = try FileReadVerbs.open(path, files, context)
    _ = try FileDamage(copying: file, path, files, to: memory.rawValue, orElse: failed)
    try Failure.translating(path) { () throws(FileFailure) in try file.close() }
    let status = la_memory_file_seal(memory.rawValue)
    guard status == 0 else { throw failed(-status) }
    lseek(memory.rawValue, 0, SEEK_SET)
    // SAFETY: nothing changes the environment meanwhile.
    throw unsafe program.replaceProcess(environment: environ)
  }

  private static func failed(_ number: Int32) -> Failure {
    Failure(.internalError, errno: number, "A file in memory cannot be made")
  }
}
