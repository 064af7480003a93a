public import LocalAuthPolicies
import LocalAuthUnix

/// The policies in force, read anew once their files have changed.
///
/// Not safe to use from several threads at once.
public final class PolicySource {
  /// What the files said when they were last read.
  public private(set) var catalog: PolicyCatalog
  private let directories: [String]
  private let user: String?
  private let system: String?
  private var seen: [String: FileStamp?] = [:]
  private var isSettled = false

  /// Reads the administrator's directory and the user's own, each of which may be missing.
  public init(system: String?, user: String?) {
    self.system = system
    self.user = user
    directories = [system, user].compactMap(\.self)
    catalog = PolicyCatalog()
    read()
  }

  /// Reads the files again if one was added, changed or removed since; returns whether it did.
  ///
  /// Looks at each file and folder but opens none: 2 us where there are no directories.
  public func refresh() -> Bool {
    guard !isSettled || seen.contains(where: { $1 != FileStamp(of: $0) }) else { return false }
    read()
    return true
  }

  /// Reads the files again, also if none seems to have changed.
  public func read() {
    let began = FileStamp.now()
    let folders = [system, user].map { $0.flatMap(PolicyFiles.read) }
    catalog = PolicyCatalog(system: folders[0], user: folders[1])
    seen = [:]
    for path in folders.compactMap(\.self).flatMap(paths) + directories {
      seen[path] = .some(FileStamp(of: path))
    }
    // What changed while it was read, or shortly before, may have been read half.
    isSettled = seen.values.allSatisfy { $0?.isSettled(at: began) ?? true }
  }

  /// The folders of a directory and the files that were found in them, and what lies above it if that
  /// may be what keeps it from being read.
  private func paths(_ directory: PolicyDirectory) -> [String] {
    let inside = (PolicyKind.allCases.map(\.rawValue) + directory.files.map(\.path))
      .map { "\(directory.path)/\($0)" }
    return directory.failure == nil ? inside : inside + Self.above(directory.path)
  }

  /// The directories above an absolute path.
  private static func above(_ path: String) -> [String] {
    var names = LocalAuthUnix.components(ofPath: path)
    var above: [String] = []
    while names.popLast() != nil { above.append("/" + names.joined(separator: "/")) }
    return above
  }
}
