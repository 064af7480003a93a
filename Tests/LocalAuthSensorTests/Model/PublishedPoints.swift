import LocalAuthSensor

extension OperatingPoint {
  /// The three operating points of one reader: FRR/FAR of 1/100 at 1/20 000, 1/200 at 1/5 000, and
  /// 1/1000 at 1/1000 (Bioscrypt V-Smart manual, page 24).
  static var vSmart: [OperatingPoint] {
    get throws {
      [
        try OperatingPoint(falseMatch: 1 / 20_000, falseNonMatch: 1 / 100),
        try OperatingPoint(falseMatch: 1 / 5_000, falseNonMatch: 1 / 200),
        try OperatingPoint(falseMatch: 1 / 1_000, falseNonMatch: 1 / 1_000),
      ]
    }
  }
}
