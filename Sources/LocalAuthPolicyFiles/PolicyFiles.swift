public import LocalAuthPolicies
public import LocalAuthUnix

/// Reads directories of policies; what cannot be read, or could be somebody else's work, is handed on
/// as such, so that it fails closed.
public enum PolicyFiles {
  /// The administrator's directory.
  public static let systemDirectory = "/etc/localauth/policies"

  /// More files in a folder than any administrator writes; with more nothing can be used.
  private static let filesMax = 1000

  /// The user's own directory; nil for a user without a home.
  public static func userDirectory(in environment: ProcessEnvironment = .current) -> String? {
    environment.configurationDirectory.map { $0 + "/policies" }
  }

  /// What is shipped, joined by these directories where they are there.
  public static func catalog(system: String?, user: String?) -> PolicyCatalog {
    PolicyCatalog(system: system.flatMap(read), user: user.flatMap(read))
  }

  /// The files below `path`; nil when there is no such directory.
  public static func read(_ path: String) -> PolicyDirectory? {
    var directory = PolicyDirectory(path: path)
    do throws(ConfigurationFileError) {
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
    _ result: Result<[UInt8], ConfigurationFileError>
  ) -> PolicyDirectory.File.Contents {
    switch result {
    case .success(let bytes): .bytes(bytes)
    case .failure(let error): .unreadable("\(error)")
    }
  }
}
