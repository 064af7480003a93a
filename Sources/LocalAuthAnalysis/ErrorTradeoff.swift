public import LocalAuthSensor

extension ScoreModel {
  /// The DET curve: the FNMR at each FMR, in even steps of the threshold.
  public func errorTradeoff(
    from lowest: Double = 1e-7,
    through highest: Double = 0.1,
    steps: Int = 200
  ) throws(ModelError) -> [OperatingPoint] {
    let (first, last) = (
      StandardNormal.upperQuantile(highest), StandardNormal.upperQuantile(lowest)
    )
    var points: [OperatingPoint] = []
    for step in 0...max(1, steps) {
      // In even steps of the threshold, because there the curve of this model is a straight line.
      let threshold = first + (last - first) * Double(step) / Double(max(1, steps))
      points.append(
        try OperatingPoint(
          falseMatch: falseMatch(at: threshold),
          falseNonMatch: falseNonMatch(at: threshold)
        )
      )
    }
    return points
  }
}
