/// A complex number.
struct Complex {
  var real = 0.0
  var imaginary = 0.0

  init(_ real: Double = 0, _ imaginary: Double = 0) {
    self.real = real
    self.imaginary = imaginary
  }

  static func + (_ left: Complex, _ right: Complex) -> Complex {
    Complex(left.real + right.real, left.imaginary + right.imaginary)
  }

  static func - (_ left: Complex, _ right: Complex) -> Complex {
    Complex(left.real - right.real, left.imaginary - right.imaginary)
  }

  static func * (_ left: Complex, _ right: Complex) -> Complex {
    Complex(
      left.real * right.real - left.imaginary * right.imaginary,
      left.real * right.imaginary + left.imaginary * right.real
    )
  }

  func times(_ factor: Double) -> Complex { Complex(factor * real, factor * imaginary) }

  /// The product with i.
  var turned: Complex { Complex(-imaginary, real) }
}

/// The discrete Fourier transform for a size that is a power of two (Cooley and Tukey 1965).
struct FourierTransform {
  private let roots: [Complex]

  /// Prepares the transform of `size` numbers; `size` must be a power of two and at least 4.
  init(size: Int) {
    // Halves the angle from a quarter turn and multiplies, so each root has little rounding error.
    var powers = [Complex(0, -1), Complex(-1, 0)]
    while 1 << powers.count < size {
      let cosine = ((1 + powers[0].real) / 2).squareRoot()
      powers.insert(Complex(cosine, powers[0].imaginary / (2 * cosine)), at: 0)
    }
    var roots = [Complex(1)]
    for power in powers { roots += roots.map { $0 * power } }
    self.roots = roots
  }

  private var size: Int { roots.count }

  /// e^(-2 pi i index / size).
  func root(_ index: Int) -> Complex { roots[index & (size - 1)] }

  /// The sums of `values[n]` e^(-2 pi i k n / size) for each k.
  func forward(_ values: [Complex]) -> [Complex] {
    var values = reversed(values)
    var half = 1
    while half < size {
      let stride = size / (2 * half)
      for start in Swift.stride(from: 0, to: size, by: 2 * half) {
        for offset in 0..<half {
          let turned = values[start + offset + half] * roots[offset * stride]
          let kept = values[start + offset]
          values[start + offset] = kept + turned
          values[start + offset + half] = kept - turned
        }
      }
      half *= 2
    }
    return values
  }

  /// The inverse of ``forward(_:)``.
  func inverse(_ values: [Complex]) -> [Complex] {
    // Swapping real and imaginary parts before and after reverses the direction.
    let sums = forward(values.map { Complex($0.imaginary, $0.real) })
    return sums.map { Complex($0.imaginary / Double(size), $0.real / Double(size)) }
  }

  /// The values in bit-reversed order.
  private func reversed(_ values: [Complex]) -> [Complex] {
    let unused = values.count.leadingZeroBitCount + 1
    return values.indices.map { index in
      values[Int(truncatingIfNeeded: UInt(index).bitReversed >> UInt(unused))]
    }
  }
}

extension UInt {
  fileprivate var bitReversed: UInt {
    var (from, to) = (self, 0 as UInt)
    for _ in 0..<Self.bitWidth {
      to = to << 1 | from & 1
      from >>= 1
    }
    return to
  }
}
