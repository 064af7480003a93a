import LocalAuthPolicies
import LocalAuthUnix

/// Reads a directory of policies; what cannot be read is handed on as such, so that it fails closed.
enum PolicyFiles {
  /// More files than any administrator writes; what is beyond is refused, not skipped.
  private static let filesMax = 1000

  /// The files below `path`; nil when there is no such directory.
  static func read(_ path: String) -> PolicyDirectory? {
    var directory = PolicyDirectory(path: path)
    do throws(SystemError) {
      var isThere = false
      for kind in PolicyKind.allCases {
        let listing = try DirectoryListing.read(
          "\(path)/\(kind.rawValue)",
          filesMax: filesMax,
          sizeLimit: PolicyFile.sizeLimit
        )
        guard let listing else { continue }
        isThere = true
        for file in listing.files {
          directory.files.append(
            PolicyDirectory.File(
              path: "\(kind.rawValue)/\(file.name)",
              contents: contents(file.contents)
            )
          )
        }
      }
      return isThere ? directory : nil
    } catch {
      directory.failure = "\(error)"
      return directory
    }
  }

  private static func contents(
    _ result: Result<[UInt8], SystemError>
  ) -> PolicyDirectory.File.Contents {
    switch result {
    case .success(let bytes): .bytes(bytes)
    case .failure(let error): .unreadable("\(error)")
    }
  }
}
