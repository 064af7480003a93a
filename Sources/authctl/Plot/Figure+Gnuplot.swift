/// The gnuplot commands of a figure.
extension Figure {
  /// The colours of Okabe and Ito (2008), which colour-blind people can tell apart, without the
  /// yellow.
  private static let colors = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
  ]

  /// Returns the commands that draw the figure on standard output.
  func commands(_ format: PictureFile.Format) -> String {
    let data = series.enumerated().map { Self.data($1, number: $0) }
    return (setup(format) + data + [plot]).joined(separator: "\n") + "\n"
  }

  private func setup(_ format: PictureFile.Format) -> [String] {
    [
      "set encoding utf8", format.terminal, "set title \(Self.quoted(title))",
      "set border 3 linecolor '#555555'", "set tics nomirror textcolor '#333333'",
      "set grid linecolor '#dddddd' linetype 1 linewidth 0.5",
      // The title says what a series on its own is.
      series.count == 1
        ? "unset key"
        : "set key outside bottom center horizontal reverse Left samplen 2 spacing 1.3",
      "set boxwidth 0.9 relative", "set style fill solid 0.7 noborder",
    ] + Self.axis("x", x) + Self.axis("y", y)
  }

  private static func axis(_ name: String, _ axis: Axis) -> [String] {
    var lines = ["set \(name)label \(quoted(axis.label))", "set format \(name) '\(axis.format)'"]
    if axis.isLogarithmic { lines.append("set logscale \(name)") }
    if let range = axis.range {
      lines.append("set \(name)range [\(range.lowerBound):\(range.upperBound)]")
    }
    if let marks = axis.marks {
      // The text of a mark is a format string.
      let texts = marks.map { mark in
        let text = mark.text.split(separator: "%", omittingEmptySubsequences: false)
        return "\(quoted(text.joined(separator: "%%"))) \(mark.position)"
      }
      lines.append("set \(name)tics (\(texts.joined(separator: ", ")))")
    }
    return lines
  }

  private static func data(_ series: Series, number: Int) -> String {
    let rows = series.points.enumerated().map { index, point in
      let label = index < series.labels.count ? " " + doubleQuoted(series.labels[index]) : ""
      return "\(point.x) \(point.y)\(label)"
    }
    return "$series\(number) << end_of_data\n\(rows.joined(separator: "\n"))\nend_of_data"
  }

  private var plot: String {
    let parts = series.enumerated().flatMap { number, series in
      let color = Self.colors[number % Self.colors.count]
      var parts = [
        "$series\(number) using 1:2 with \(Self.words(series.style)) linecolor '\(color)'"
          + " title \(Self.quoted(series.name))"
      ]
      if !series.labels.isEmpty {
        parts.append(
          "$series\(number) using 1:2:3 with labels \(Self.place(series.style))"
            + " textcolor '\(color)' notitle"
        )
      }
      return parts
    }
    return "plot " + parts.joined(separator: ", \\\n  ")
  }

  /// Points may lie closely above each other, so that their labels stand beside them.
  private static func place(_ style: Style) -> String {
    switch style {
    case .points: "left offset 1,0"
    case .line, .steps, .bars: "center offset 0,0.9"
    }
  }

  private static func words(_ style: Style) -> String {
    switch style {
    case .line: "lines linewidth 2"
    case .steps: "steps linewidth 2"
    case .points: "points pointtype 7 pointsize 1.2"
    case .bars: "boxes"
    }
  }

  /// Quotes text so that gnuplot takes it literally.
  private static func quoted(_ text: String) -> String {
    "'" + oneLine(text).splitting(at: "'").joined(separator: "''") + "'"
  }

  /// Quotes text for a data column, where a quote cannot be escaped.
  private static func doubleQuoted(_ text: String) -> String {
    let scalars = oneLine(text).unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "'" : $0 }
    return "\"" + String(String.UnicodeScalarView(scalars)) + "\""
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\u{0}" ? " " : $0 })
  }
}

extension PictureFile.Format {
  /// Selects a picture 800 pixels wide, with text taken literally.
  fileprivate var terminal: String {
    switch self {
    case .svg:
      "set terminal svg size 800,500 dynamic font 'sans-serif,14' noenhanced background '#ffffff'"
    case .png: "set terminal pngcairo size 800,500 font 'sans,11' noenhanced"
    }
  }
}
