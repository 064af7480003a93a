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
