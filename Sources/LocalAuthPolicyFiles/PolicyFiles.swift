public import LocalAuthPolicies
public import LocalAuthUnix

/// Reads directories of policies.
///
/// Files that cannot be read, or that another user could have written, are reported as unreadable,
/// so that they fail closed.
public enum PolicyFiles {
  /// The administrator's directory.
  public static let systemDirectory = "/etc/localauth/policies"

  /// The most files in one directory, more than any administrator writes; beyond it nothing is
  /// used.
  private static let filesMax = 1000

  /// The user's own directory; nil for a user without a home directory.
  public static func userDirectory(in environment: ProcessEnvironment = .current) -> String? {
    environment.configurationDirectory.map { $0 + "/policies" }
  }

  /// The shipped policies, extended by those of the given directories that exist.
  public static func catalog(system: String?, user: String?) -> PolicyCatalog {
    PolicyCatalog(system: system.flatMap(read), user: user.flatMap(read))
  }

  /// Reads the policy files below `path`; nil if it has no directory for any kind of policy.
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
