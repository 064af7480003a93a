import Glibc
import LocalAuthPolicies
import LocalAuthPolicyFiles
import LocalAuthUnix

/// A file that has no mistake in it, and what it takes besides to count.
struct CheckedFile {
  /// The directories that the daemon reads.
  private enum Place {
    case system
    case user
  }

  private let path: String
  private let bytes: [UInt8]
  private let kind: PolicyKind
  private let catalog: PolicyCatalog
  /// Where it lies; nil if nobody reads it there.
  private let place: Place?

  /// Looks at where the file at `path` lies, whose text is `source`.
  init(_ path: String, _ source: String, _ context: VerbContext) {
    self.path = path
    bytes = Array(source.utf8)
    let kind = PolicyKind(ofFileAt: path)
    self.kind = kind
    catalog = PolicyChoice.catalog(context)
    let isSystem = context.arguments[GlobalOptions.system]
    let user = isSystem ? nil : PolicyFiles.userDirectory(in: context.environment)
    let folder = Self.identity(of: LocalAuthUnix.directory(ofPath: path))
    func lies(in directory: String?) -> Bool {
      guard let directory, let folder else { return false }
      return Self.identity(of: "\(directory)/\(kind.rawValue)") == folder
    }
    let isUsers = lies(in: user)
    place = lies(in: PolicyFiles.systemDirectory) ? Place.system : isUsers ? Place.user : nil
  }

  /// The path that says of which kind a file is: that of the real folder if the folder that was typed names no kind.
  static func pathWithKind(of path: String) -> String {
    guard PolicyKind(folderOfFileAt: path) == nil,
      let folder = realPath(LocalAuthUnix.directory(ofPath: path)),
      let name = components(ofPath: path).last
    else { return path }
    let real = "\(folder)/\(name)"
    return PolicyKind(ofFileAt: real) == .policy ? path : real
  }

  private static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    // SAFETY: the string and the structure are valid for the call.
    return unsafe stat(path, &status) == 0 ? FileIdentity(status) : nil
  }

  private var fileName: String { components(ofPath: path).last ?? "" }

  /// Why it does not count where it lies, as the daemon says it; nil if it counts, or is not read there.
  var problem: PolicyError? {
    place.flatMap { place in
      catalog.problem(
        in: bytes,
        file: path,
        kind: kind,
        called: fileName,
        asUser: place == .user
      )
    }
  }

  /// What has to be done with it first, if it is not read where it lies.
  var remarks: [String] {
    guard place == nil else { return [] }
    var remarks: [String] = []
    if let name = PolicyCatalog.name(in: bytes, kind: kind), fileName != "\(name).json" {
      remarks.append("It counts only as \(name).json.")
    }
    if kind == .policy,
      let error = catalog.problem(in: bytes, file: path, kind: kind, asUser: true)
    {
      remarks.append("It cannot count as one of your own: \(error.problem).")
    }
    return remarks
  }

  /// Says where a file counts; nothing of one that is read where it lies.
  ///
  /// The daemon describes a policy as one of the administrator's, which alone have an acr of their
  /// own.
  var whereItCounts: String {
    guard place == nil else { return "" }
    let etc = "It counts once it lies in \(PolicyFiles.systemDirectory)/\(kind.rawValue)"
    guard kind == .policy else { return "\(etc)." }
    return "\(etc), or for yourself in ~/.config/localauth/policies/policy. There its name "
      + "begins with user/, and its acr is urn:localauth:acr:user unless it states another."
  }
}
