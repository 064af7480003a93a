extension KeyCurve {
  /// Half of the field's prime, rounded down: (p - 1) / 2 of P-256.
  private static let halfOfPrime: [UInt8] =
    [0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]
    + [0, 0, 0, 0, 0x7F] + [UInt8](repeating: 0xFF, count: 11)

  /// Whether a P-256 point, `04 || X || Y`, has the lesser of the two Y for its X, so that X alone
  /// identifies it.
  public static func isCompact(_ point: [UInt8]) -> Bool {
    guard point.count == 65 else { return false }
    let greater = zip(point.suffix(32), halfOfPrime).first { $0 != $1 }.map { $0 > $1 }
    return greater != true
  }
}
