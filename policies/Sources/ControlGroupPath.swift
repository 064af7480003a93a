/// The control group of a process, by its path from the root of the hierarchy.
///
/// systemd gives every unit a group of its own inside the groups of its slices, and every user a
/// manager with units below `user@UID.service`. So the path says which unit a process belongs to.
public struct ControlGroupPath: Hashable, Sendable {
  /// The longest path, in bytes (PATH_MAX less its NUL).
  static let lengthLimit = 4095

  /// The path: `/` or `/a/b`.
  public let text: String

  /// The group at `text`; nil when that is no path from the root, or leads outside of what this
  /// process may see (`..`).
  public init?(_ text: String) {
    guard PathRule.isAbsolute(text) || text == "/" else { return nil }
    self.text = text
  }

  /// The unit of the system's manager: the first part of the path that is no slice.
  ///
  /// Only root can move a process out of one and into another.
  public var systemUnit: String? { Self.unit(atStartOf: parts) }

  /// The unit of the user's own manager, for a process below one.
  ///
  /// The user can make groups there as he likes, so it is his word.
  public var userUnit: String? {
    let inside = parts.drop(while: Self.isSlice)
    guard let manager = inside.first, Self.isUserManager(manager) else { return nil }
    return Self.unit(atStartOf: inside.dropFirst())
  }

  /// Whether both are the same bytes: to the kernel two spellings of one character are two groups.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  private var parts: ArraySlice<String> {
    text.utf8.split(separator: UInt8(ascii: "/")).map { part in
      // systemd puts an underscore before a name that the kernel could take for a file of its own.
      String(part.first == UInt8(ascii: "_") ? part.dropFirst() : part) ?? ""
    }[...]
  }

  private static func unit(atStartOf parts: ArraySlice<String>) -> String? {
    guard let unit = parts.drop(while: isSlice).first, UnitName.isValid(unit) else { return nil }
    return unit
  }

  private static func isSlice(_ part: String) -> Bool { part.hasSuffix(".slice") }

  private static func isUserManager(_ part: String) -> Bool {
    let number = part.utf8.dropFirst("user@".utf8.count).dropLast(".service".utf8.count)
    return part.hasPrefix("user@") && part.hasSuffix(".service") && !number.isEmpty
      && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

/// Names of systemd's units that processes can be in.
enum UnitName {
  static let types = ["service", "scope", "socket", "mount", "swap"]
  static let rule =
    "the full name of a unit that processes are in, such as cron.service; it ends in ."
    + types.dropLast().joined(separator: ", .") + " or .swap"

  /// Whether `name` is one: not a slice, not a template without an instance.
  static func isValid(_ name: String) -> Bool {
    guard (1...255).contains(name.utf8.count), name.utf8.allSatisfy(isAllowed),
      let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
      let stem = String(name.utf8[..<dot]), let type = String(name.utf8[dot...].dropFirst())
    else { return false }
    return types.contains(type) && !stem.isEmpty && !stem.hasPrefix("@") && !stem.hasSuffix("@")
  }

  /// The characters of unit names (systemd.unit(5)).
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "@"):
      true
    default: false
    }
  }
}

/// Paths as rules write them: one way only, so that two that are equal look equal.
enum PathRule {
  static let rule =
    "an absolute path without //, . or .. and without a slash at its end, of at most "
    + "\(ControlGroupPath.lengthLimit) bytes"

  /// Whether `path` is absolute, names something below the root, and is written the shortest way.
  static func isAbsolute(_ path: String) -> Bool {
    let bytes = path.utf8
    guard bytes.first == UInt8(ascii: "/"), bytes.count <= ControlGroupPath.lengthLimit,
      PolicyText.isShowable(path)
    else { return false }
    return bytes.dropFirst()
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { part in
        !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
      }
  }
}
