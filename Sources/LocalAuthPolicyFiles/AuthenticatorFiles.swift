public import LocalAuthPolicies
import LocalAuthUnix

/// The manifests of authenticators in a list of directories, read once.
///
/// A file in an earlier directory replaces those of its name in later ones, even if it has a
/// mistake: what an administrator meant to change must not come back.
public struct AuthenticatorFiles: Sendable {
  /// Where manifests are: the administrator's directory and that of packages.
  public static let systemDirectories = [
    "/etc/localauth/authenticators", "/usr/lib/localauth/authenticators",
  ]

  private static let filesMax = 64

  /// A manifest and the path of its file.
  public struct Entry: Hashable, Sendable {
    /// The manifest.
    public var manifest: AuthenticatorManifest
    /// The path of its file.
    public var file: String
  }

  /// The manifests, by name.
  public private(set) var entries: [Entry] = []
  /// What is wrong with the files, one line each.
  public private(set) var problems: [String] = []

  /// Reads the manifests in `directories`.
  public init(in directories: [String]) {
    var seen: Set<String> = []
    for directory in directories {
      do throws(ConfigurationFileError) {
        let listing = try DirectoryListing.read(
          directory,
          filesMax: Self.filesMax,
          sizeLimit: PolicyFile.sizeLimit
        )
        for file in listing?.files ?? []
        where file.name.hasSuffix(".json") && seen.insert(file.name).inserted {
          add(file, in: directory)
        }
      } catch {
        problems.append("\(directory): no authenticator of it is used: \(error)")
      }
    }
    entries.sort { $0.manifest.name < $1.manifest.name }
  }

  private mutating func add(_ file: DirectoryListing.File, in directory: String) {
    let path = "\(directory)/\(file.name)"
    do throws(PolicyError) {
      switch file.contents {
      case .success(let bytes):
        entries.append(Entry(manifest: try AuthenticatorFile.parse(bytes, file: path), file: path))
      case .failure(let error): throw PolicyError(.unreadable("\(error)"), file: path)
      }
    } catch {
      problems.append("\(error); this authenticator is not used")
    }
  }
}
