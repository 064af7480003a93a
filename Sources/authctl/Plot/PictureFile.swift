/// The file to write a picture to: SVG or PNG.
struct PictureFile: ExpressibleByArgument {
  /// A format, by the file name's extension.
  enum Format: String, CaseIterable {
    case svg
    case png
  }

  let path: String
  let format: Format

  init?(argument: String) {
    guard let format = Format.allCases.first(where: { argument.hasSuffix(".\($0.rawValue)") }),
      argument.utf8.count > format.rawValue.utf8.count + 1
    else { return nil }
    path = argument
    self.format = format
  }

  static var expectation: String { "a file that ends in .svg or .png" }
}

extension PictureFile.Format {
  /// How many bytes at the end of a picture tell whether it is whole.
  static let endSize = 64

  /// Whether a picture that ends like this is whole.
  func isWhole(_ end: [UInt8]) -> Bool {
    switch self {
    case .svg:
      let spaces = Set(" \r\n".utf8)
      let rest = end.prefix((end.lastIndex { !spaces.contains($0) } ?? -1) + 1)
      return rest.suffix(6).elementsEqual("</svg>".utf8)
    case .png:
      // The last chunk has a name, no content, and a checksum.
      return end.suffix(8).elementsEqual(Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
    }
  }
}
