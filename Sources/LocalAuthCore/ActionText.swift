/// The text of an action that a person approves: shown verbatim, and identified by its digest.
///
/// Only characters that stand for themselves are accepted, so that no two actions look alike on a
/// prompt because of an invisible character.
public struct ActionText: Hashable, Sendable {
  /// The limit in bytes of UTF-8, the same as for a reason.
  public static let bytesMax = 1024
  /// The most combining marks of one letter; a terminal drops any more.
  private static let marksMax = 2

  /// The text.
  public let text: String

  /// The action `text`; nil if it is empty, too long, begins or ends with a blank, or holds
  /// anything but visible characters and single blanks.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.bytesMax, text.utf8.first != 0x20,
      text.utf8.last != 0x20
    else { return nil }
    var marks = 0
    var wasBlank = false
    for scalar in text.unicodeScalars {
      guard scalar.standsForItself, !(wasBlank && scalar == " ") else { return nil }
      wasBlank = scalar == " "
      marks = Self.isMark(scalar) ? marks + 1 : 0
      guard marks <= Self.marksMax else { return nil }
    }
    self.text = text
  }

  /// The bytes to digest.
  public var bytes: [UInt8] { Array(text.utf8) }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    // The category is the most expensive check here, and no ASCII character needs it.
    guard !scalar.isASCII else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }
}

extension Unicode.Scalar {
  /// The Braille pattern without dots and the null notehead.
  private static let blankSymbols: [Unicode.Scalar] = ["\u{2800}", "\u{1D159}"]

  /// Whether every prompt shows it as itself: a visible character or a plain blank.
  public var standsForItself: Bool {
    if (0x20...0x7E).contains(value) { return true }
    // Default ignorable code points are invisible, and two symbols are drawn blank.
    guard !properties.isDefaultIgnorableCodePoint, !Self.blankSymbols.contains(self) else {
      return false
    }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      return false
    default: return true
    }
  }
}
