import Glibc
import LocalAuthDocuments

// The program names the device. `DocumentContainer()` is that of the user's own machine.
let container = DocumentContainer(on: Device("demo"))
let name = "journal.txt"
let line = CommandLine.arguments.dropFirst().joined(separator: " ") + "\n"

/// Adds the line to what is there, unless somebody else writes meanwhile.
func add() throws(DocumentFailure) {
  let text: [UInt8]
  let seen: DocumentContainer.Expectation
  do throws(DocumentFailure) {
    let (bytes, version) = try container.read(name)
    (text, seen) = (bytes, .version(version))
  } catch .notFound {
    (text, seen) = ([], .nothing)
  }
  try container.write(text + line.utf8, to: name, over: seen)
}

do throws(DocumentFailure) {
  while true {
    do throws(DocumentFailure) {
      try add()
      break
    } catch .busy {
      // What another program wrote in between is read and kept.
    }
  }
  for document in try container.documents() {
    print("\(document.name): \(document.size ?? 0) bytes, \(document.conflicts) in conflict")
  }
} catch {
  print("Nothing was written. \(error)")
  exit(1)
}
