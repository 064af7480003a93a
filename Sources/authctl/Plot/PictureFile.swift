import Glibc
import LocalAuthCore

/// The file to write a picture to: SVG or PNG.
struct PictureFile: ExpressibleByArgument {
  /// A format, by the file name's extension.
  enum Format: String, CaseIterable {
    case svg
    case png
  }

  let path: String
  let format: Format

  init?(argument: String) {
    guard let format = Format.allCases.first(where: { argument.hasSuffix(".\($0.rawValue)") }),
      argument.utf8.count > format.rawValue.utf8.count + 1
    else { return nil }
    path = argument
    self.format = format
  }

  static var expectation: String { "a file that ends in .svg or .png" }
}

/// An unfinished picture: a temporary file beside the file that it replaces when complete.
struct PictureDraft: ~Copyable {
  private let file: PictureFile
  private let draft: String
  /// The descriptor to draw into.
  let descriptor: Int32
  private var isKept = false

  /// Creates a draft of `file`; it fails before anything is computed if the file cannot be written.
  init(_ file: PictureFile) throws(Failure) {
    self.file = file
    var directory = "."
    var name = file.path[...]
    if let slash = file.path.lastIndex(of: "/") {
      directory = String(file.path[...slash])
      name = file.path[file.path.index(after: slash)...]
    }
    draft = "\(directory)/.\(name).\(getpid())"
    // SAFETY: the string is a C string for the duration of the call.
    descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw Self.unwritable(file, errno) }
  }

  /// Moves the draft to its final place.
  mutating func keep() throws(Failure) {
    // SAFETY: the strings are C strings for the duration of the call.
    guard unsafe rename(draft, file.path) == 0 else { throw Self.unwritable(file, errno) }
    isKept = true
  }

  private static func unwritable(_ file: PictureFile, _ number: Int32) -> Failure {
    Failure(.badConfiguration, errno: number, "\(file.path) cannot be written")
  }

  deinit {
    close(descriptor)
    // SAFETY: the string is a C string for the duration of the call.
    if !isKept { _ = unsafe unlink(draft) }
  }
}
