/// The control group of a process, as its path from the root of the hierarchy.
///
/// systemd places every unit in its own group within the groups of its slices, and runs a manager
/// for every user whose units lie below `user@UID.service`. So the path tells which unit a process
/// belongs to.
public struct ControlGroupPath: Hashable, Sendable {
  /// The maximum length of a path, in bytes (PATH_MAX without its NUL).
  static let lengthLimit = 4095

  /// The path: `/` or `/a/b`.
  public let text: String

  /// Creates the path `text`; nil unless it is absolute and within what this process may see (no
  /// `..`).
  public init?(_ text: String) {
    guard PathRule.isAbsolute(text) || text == "/" else { return nil }
    self.text = text
  }

  /// The unit of the system manager: the first component of the path that is not a slice.
  ///
  /// Only root can move a process from one such unit to another.
  public var systemUnit: String? { Self.unit(atStartOf: parts) }

  /// The unit of the user manager; nil unless the process runs below one.
  ///
  /// The user controls these groups, so the unit is only the user's claim.
  public var userUnit: String? {
    let inside = parts.drop(while: Self.isSlice)
    guard let manager = inside.first, Self.isUserManager(manager) else { return nil }
    return Self.unit(atStartOf: inside.dropFirst())
  }

  /// Compares bytes: to the kernel, two encodings of one character are two groups.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes, as equality compares them.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  private var parts: ArraySlice<String> {
    text.utf8.split(separator: UInt8(ascii: "/")).map { part in
      // systemd prefixes an underscore to names that would clash with the kernel's own files.
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

/// Names of systemd units that can contain processes.
enum UnitName {
  static let types = ["service", "scope", "socket", "mount", "swap"]
  static let rule =
    "the full name of a unit that processes are in, such as cron.service; it ends in ."
    + types.dropLast().joined(separator: ", .") + " or .swap"

  /// Whether `name` is such a unit: neither a slice nor a template without an instance.
  static func isValid(_ name: String) -> Bool {
    guard (1...255).contains(name.utf8.count), name.utf8.allSatisfy(isAllowed),
      let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
      let stem = String(name.utf8[..<dot]), let type = String(name.utf8[dot...].dropFirst())
    else { return false }
    return types.contains(type) && !stem.isEmpty && !stem.hasPrefix("@") && !stem.hasSuffix("@")
  }

  /// Whether `byte` is allowed in unit names (systemd.unit(5)).
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

/// Paths as rules write them: one spelling only, so that equal paths look equal.
enum PathRule {
  static let rule =
    "an absolute path without //, . or .. and without a slash at its end, of at most "
    + "\(ControlGroupPath.lengthLimit) bytes"

  /// Whether `path` is absolute, names something below the root, and is in its shortest form.
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
