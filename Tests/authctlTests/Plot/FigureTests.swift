import Testing

@testable import authctl

/// Figures as gnuplot is told to draw them.
struct FigureTests {
  private func figure(_ title: String = "title", mark: String = "one") -> Figure {
    Figure(
      title: title,
      x: Figure.Axis(label: "x (s)", range: 0...2, marks: [(position: 1, text: mark)]),
      y: .shares("y", from: 1e-3),
      series: [
        Figure.Series(name: "first", style: .line, points: [(0, 0.5), (2, 1)]),
        Figure.Series(name: "second", style: .points, points: [(1, 0.1)], labels: ["a \"b\""]),
      ]
    )
  }

  @Test func everySeriesIsDrawnWithItsNameAndLabels() {
    let text = figure().commands(.svg)
    #expect(text.contains("$series0 << end_of_data\n0.0 0.5\n2.0 1.0\nend_of_data"))
    #expect(text.contains("$series1 << end_of_data\n1.0 0.1 \"a 'b'\"\nend_of_data"))
    #expect(
      text.contains("$series0 using 1:2 with lines linewidth 2 linecolor '#0072b2' title 'first'")
    )
    #expect(text.contains("$series1 using 1:2:3 with labels"))
    #expect(!text.contains("$series0 using 1:2:3"))
  }

  @Test func axesHaveLabelsScalesAndRanges() {
    let text = figure().commands(.png)
    for command in [
      "set xlabel 'x (s)'", "set xrange [0.0:2.0]", "set xtics ('one' 1.0)", "set ylabel 'y'",
      "set logscale y", "set yrange [0.001:1.0]", "set terminal pngcairo size 800,500",
    ] {
      #expect(text.contains(command), "\(command)")
    }
    #expect(!text.contains("set logscale x"))
  }

  @Test func textIsNoCommand() {
    let title = "it's\nset output '/tmp/x' `id` %"
    let text = figure(title).commands(.svg)
    #expect(text.contains("set title 'it''s set output ''/tmp/x'' `id` %'\n"))
    #expect(figure(mark: "10 %").commands(.svg).contains("('10 %%' 1.0)"))
  }

  @Test(arguments: ["a.svg", "/tmp/x.y.png", "-.svg"])
  func endingSaysTheFormat(_ path: String) {
    #expect(PictureFile(argument: path)?.path == path)
    #expect(PictureFile(argument: path)?.format.rawValue == String(path.suffix(3)))
  }

  @Test(arguments: ["", "a", ".svg", ".png", "a.SVG", "a.pdf", "a.svg/"])
  func whatIsNoPictureIsRefused(_ path: String) { #expect(PictureFile(argument: path) == nil) }
}
