/// A picture in the terms of its subject: axes, lines and what is written beside them.
struct Figure {
  /// How a series is drawn.
  enum Style {
    /// A line through the points.
    case line
    /// A line that stays at a value until the next point.
    case steps
    /// A mark at each point.
    case points
    /// A bar from the axis to each point.
    case bars
  }

  /// Points with one name.
  struct Series {
    /// What the key says.
    var name: String
    var style: Style
    var points: [(x: Double, y: Double)]
    /// What is written beside each point; empty for nothing.
    var labels: [String] = []
  }

  /// One axis.
  struct Axis {
    /// What is measured, with its unit.
    var label: String
    var isLogarithmic = false
    var range: ClosedRange<Double>?
    /// Marks with words of their own; nil for those that come by themselves.
    var marks: [(position: Double, text: String)]?
    /// How a number is written, as printf has it.
    var format = "%g"
  }

  var title: String
  var x: Axis
  var y: Axis
  var series: [Series]
}

extension Figure.Axis {
  /// An axis of shares from `least` to 1, each a tenth of the last, in percent.
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
