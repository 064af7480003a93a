/// A picture in terms of its subject: axes, lines and labels.
struct Figure {
  /// How a series is drawn.
  enum Style {
    /// A line through the points.
    case line
    /// A line that keeps its value until the next point.
    case steps
    /// A mark at each point.
    case points
    /// A bar from the axis to each point.
    case bars
  }

  /// A named series of points.
  struct Series {
    /// The name in the key.
    var name: String
    var style: Style
    var points: [(x: Double, y: Double)]
    /// The labels of the points; empty for none.
    var labels: [String] = []
  }

  /// One axis.
  struct Axis {
    /// The quantity, with its unit.
    var label: String
    var isLogarithmic = false
    var range: ClosedRange<Double>?
    /// Labelled marks; nil for automatic ones.
    var marks: [(position: Double, text: String)]?
    /// The printf format of numbers.
    var format = "%g"
  }

  var title: String
  var x: Axis
  var y: Axis
  var series: [Series]
}

extension Figure.Axis {
  /// Creates a logarithmic axis of shares from `least` to 1, in percent.
  static func shares(_ label: String, from least: Double) -> Figure.Axis {
    let texts = [
      (1.0, "100 %"), (1e-1, "10 %"), (1e-2, "1 %"), (1e-3, "0.1 %"), (1e-4, "0.01 %"),
      (1e-5, "0.001 %"), (1e-6, "0.0001 %"), (1e-7, "1e-5 %"), (1e-8, "1e-6 %"),
    ]
    return Figure.Axis(
      label: label,
      isLogarithmic: true,
      range: least...1,
      marks: texts.filter { $0.0 >= least }.map { (position: $0.0, text: $0.1) }
    )
  }
}
