/// What a person approves, word for word: it is shown as it is, and its digest is what was approved.
///
/// Only characters that stand for themselves are taken, so that no two actions look alike on a prompt
/// because something in one of them is not seen.
public struct ActionText: Hashable, Sendable {
  /// Bytes of UTF-8, at most: as many as a reason has.
  public static let bytesMax = 1024
  /// Marks that one letter may have: what is more, a terminal leaves out.
  private static let marksMax = 2

  /// The text.
  public let text: String

  /// The action called `text`; nil when it is empty, too long, begins or ends with a blank, or holds
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

  /// The bytes that are digested.
  public var bytes: [UInt8] { Array(text.utf8) }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    // Asking for the category costs more than everything else here.
    guard !scalar.isASCII else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is seen as what it is, wherever a prompt is shown: a visible character or a plain blank.
  public var standsForItself: Bool {
    if (0x20...0x7E).contains(value) { return true }
    // Default ignorable code points have a shape that nobody sees.
    guard !properties.isDefaultIgnorableCodePoint else { return false }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      return false
    default: return true
    }
  }
}
