import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthAnalysis

@Suite struct FourierTransformTests {
  private func numbers(_ count: Int) -> [Complex] {
    var generator = SeededGenerator.ofThisRun
    return (0..<count).map { _ in
      Complex(.random(in: -1...1, using: &generator), .random(in: -1...1, using: &generator))
    }
  }

  private func distance(_ left: [Complex], _ right: [Complex]) -> Double {
    zip(left, right).map { hypot(($0 - $1).real, ($0 - $1).imaginary) }.max() ?? .infinity
  }

  @Test(arguments: [4, 8, 64, 256]) func isTheSumThatItStandsFor(_ size: Int) {
    let values = numbers(size)
    let sums = (0..<size).map { index in
      values.enumerated().reduce(Complex()) { sum, value in
        let angle = -2 * Double.pi * Double(index * value.offset % size) / Double(size)
        return sum + value.element * Complex(cos(angle), sin(angle))
      }
    }
    #expect(distance(FourierTransform(size: size).forward(values), sums) < 1e-11)
  }

  @Test(arguments: [4, 1024, 8192]) func invertsItself(_ size: Int) {
    let transform = FourierTransform(size: size)
    let values = numbers(size)
    #expect(distance(transform.inverse(transform.forward(values)), values) < 1e-13)
  }

  @Test func rootsGoRoundTheCircle() {
    let transform = FourierTransform(size: 8192)
    for index in [0, 1, 2047, 2048, 4096, 8191, 8192, 12_289] {
      let angle = -2 * Double.pi * Double(index) / 8192
      let root = transform.root(index)
      #expect(abs(root.real - cos(angle)) < 1e-14 && abs(root.imaginary - sin(angle)) < 1e-14)
    }
  }
}
