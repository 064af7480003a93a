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

  /// Reads the policy files below `path`; nil if there are none and no folder for them.
  public static func read(_ path: String) -> PolicyDirectory? {
    var directory = PolicyDirectory(path: path)
    var isThere = false
    do throws(ConfigurationFileError) {
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
    } catch {
      directory.failure = "\(error)"
      return directory
    }
    directory.files += misplaced(in: path)
    return isThere || !directory.files.isEmpty ? directory : nil
  }

  /// The files beside the folders, which somebody meant to be in one of them.
  private static func misplaced(in path: String) -> [PolicyDirectory.File] {
    let listing = try? DirectoryListing.read(path, filesMax: filesMax, sizeLimit: 0)
    let names = listing?.files.map(\.name).filter { $0.hasSuffix(".json") } ?? []
    return names.map { PolicyDirectory.File(path: $0, contents: .bytes([])) }
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
