/// A piece of a web page.
struct HTML {
  /// The markup.
  let markup: String

  private init(markup: String) { self.markup = markup }

  /// What is read on the page, each element between spaces.
  var text: String { markup.replacing(#/<[^>]*>/#, with: " ") }

  /// Creates text, of which nothing is markup.
  init(_ text: String) {
    var markup = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case ">": markup += "&gt;"
      case "\"": markup += "&quot;"
      default: markup.unicodeScalars.append(scalar)
      }
    }
    self.init(markup: markup)
  }

  /// Creates one piece of several, which follow each other.
  init(_ pieces: [HTML]) {
    self.init(markup: pieces.map(\.markup).joined())
  }

  /// Creates an element; one that never has content, such as `meta`, gets no end tag.
  static func element(
    _ name: String,
    _ attributes: KeyValuePairs<String, String> = [:],
    _ content: [HTML] = []
  ) -> HTML {
    let start = attributes.reduce("<\(name)") { $0 + " \($1.key)=\"\(HTML($1.value).markup)\"" }
    let isVoid = ["meta", "path", "line"].contains(name)
    return HTML(
      markup: isVoid
        ? start + (name == "meta" ? ">" : "/>")
        : start + ">" + HTML(content).markup + "</\(name)>"
    )
  }

  /// Creates an element with nothing but text in it.
  static func element(
    _ name: String,
    _ attributes: KeyValuePairs<String, String> = [:],
    _ text: String
  ) -> HTML {
    element(name, attributes, [HTML(text)])
  }

  /// Creates a style sheet, which must not contain `</`.
  static func style(_ sheet: String) -> HTML {
    precondition(!sheet.contains("</"), "a style sheet that would end early")
    return HTML(markup: "<style>\n\(sheet)</style>")
  }

  /// A whole page, with its document type.
  static func document(title: String, style: String, body: [HTML]) -> HTML {
    let head = [
      element("meta", ["charset": "utf-8"]),
      element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      element("meta", ["name": "color-scheme", "content": "light dark"]),
      element("title", title),
      Self.style(style),
    ]
    let page = element("html", ["lang": "en"], [element("head", head), element("body", body)])
    return HTML(markup: "<!DOCTYPE html>\n" + page.markup + "\n")
  }
}

extension HTML {
  /// Creates an element of elements without attributes.
  static func element(_ name: String, _ content: [HTML]) -> HTML { element(name, [:], content) }

  /// Creates an element of text without attributes.
  static func element(_ name: String, _ text: String) -> HTML { element(name, [:], text) }
}
