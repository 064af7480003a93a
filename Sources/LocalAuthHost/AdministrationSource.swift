import LocalAuthCore
import LocalAuthPolicies
import LocalAuthUnix

/// The rules for who may administer devices, read once.
public struct AdministrationSource: Sendable {
  /// The system-wide rules file.
  public static let systemFile = "/etc/localauth/administration.json"

  /// Why nobody may administer anything, in one line with the file, the line number and the allowed
  /// values; nil if the rules are valid.
  public let failure: String?
  private let rules: AdministrationRules

  /// Reads the rules; if there is no file, the built-in ones apply.
  ///
  /// If the file exists but cannot be read or parsed, every action is refused to everyone: the file
  /// might have refused any of them.
  public init(file: String?) {
    do throws(PolicyError) {
      rules = try file.flatMap { path throws(PolicyError) in try Self.read(path) } ?? .builtIn
      failure = nil
    } catch {
      rules = .nobody
      failure = "\(error); until it is mended nobody may administer a device"
    }
  }

  /// Why the owner of a device, or root, may not perform `action` on it; nil if allowed.
  func refusal(of action: AdministrativeAction, isRoot: Bool) -> String? {
    guard !rules.allows(action, isRoot: isRoot) else { return nil }
    guard failure == nil else {
      return "The rules of administration have a mistake: the service's log says which."
    }
    switch rules.who(may: action) {
    case .owner: return nil
    case .root: return "The rules of administration leave this to root."
    case .nobody: return "The rules of administration allow this to nobody."
    }
  }

  private static func read(_ path: String) throws(PolicyError) -> AdministrationRules? {
    let bytes: [UInt8]?
    do throws(ConfigurationFileError) {
      bytes = try ConfigurationFile.read(path, sizeLimit: AdministrationFile.sizeLimit)
    } catch {
      throw PolicyError(.unreadable("\(error)"), file: path)
    }
    guard let bytes else { return nil }
    return try AdministrationFile.parse(bytes, file: path)
  }
}
