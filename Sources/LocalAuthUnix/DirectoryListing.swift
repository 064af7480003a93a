/// The small files of one directory, for configuration that is read once.
public struct DirectoryListing: Sendable {
  /// One file: its name, and its bytes or why it is not read.
  public struct File: Sendable {
    /// The name in the directory.
    public var name: String
    /// The bytes, or one line that says why there are none.
    public var contents: Result<[UInt8], ConfigurationFileError>
  }

  /// Everything in it, by name; names that begin with a dot are left out.
  public var files: [File]

  /// Reads files of at most `sizeLimit` bytes each (one byte more tells that a file is larger); nil
  /// when the directory does not exist.
  ///
  /// Directory and files are believed as ``ConfigurationFile/read(_:sizeLimit:)`` says.
  /// - Throws: ``ConfigurationFileError``, when what lies in the directory cannot be known: it cannot
  ///   be listed, others could have put it there, or it holds more than `filesMax` files.
  public static func read(
    _ path: String,
    filesMax: Int,
    sizeLimit: Int
  ) throws(ConfigurationFileError) -> DirectoryListing? {
    guard let directory = try ConfigurationPath.find(path) else { return nil }
    var files: [File] = []
    for name in try directory.names(max: filesMax) {
      files.append(File(name: name, contents: contents(of: name, in: directory, sizeLimit)))
    }
    return DirectoryListing(files: files)
  }

  private static func contents(
    of name: String,
    in directory: borrowing ConfigurationPath,
    _ limit: Int
  ) -> Result<[UInt8], ConfigurationFileError> {
    do throws(ConfigurationFileError) {
      let file = try directory.entry(name)
      return .success(try file.bytes(limit: limit))
    } catch {
      return .failure(error)
    }
  }
}
