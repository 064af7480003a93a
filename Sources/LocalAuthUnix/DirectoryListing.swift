/// The small configuration files of one directory, read once.
public struct DirectoryListing: Sendable {
  /// One file: its name, and its bytes or the reason they were not read.
  public struct File: Sendable {
    /// The name of the file in the directory.
    public var name: String
    /// The bytes, or why the file was not read.
    public var contents: Result<[UInt8], ConfigurationFileError>
  }

  /// The files sorted by name, without names that begin with a dot.
  public var files: [File]

  /// Reads the files of a directory; nil if the directory does not exist.
  ///
  /// Reads up to `sizeLimit` + 1 bytes of each file; the extra byte shows that the file is larger.
  /// Directory and files are checked as ``ConfigurationFile/read(_:sizeLimit:)`` describes.
  /// - Throws: ``ConfigurationFileError``, if the directory cannot be listed, others could have put
  ///   files into it, or it holds more than `filesMax` files.
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
