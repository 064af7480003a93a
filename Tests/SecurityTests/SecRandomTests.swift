import Security
import Testing

@Suite struct SecRandomTests {
  /// Random bytes with one more behind them, which stays as it was.
  private func bytes(_ count: Int) -> (status: Int32, bytes: [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: count + 1)
    // SAFETY: there is room for one byte more than is asked for.
    let status = unsafe SecRandomCopyBytes(kSecRandomDefault, count, &bytes)
    return (status, bytes)
  }

  @Test(arguments: [0, 1, 255, 256, 257, 512, 100_000])
  func fillsWhatWasAskedAndNothingBehind(count: Int) {
    let (status, bytes) = bytes(count)
    #expect(status == errSecSuccess)
    #expect(bytes.last == 0)
    // Twelve zeros in a row at the end would be one chance in 2^96.
    if count > 12 { #expect(bytes.dropLast().suffix(12).contains { $0 != 0 }) }
  }

  @Test func twoCallsDiffer() { #expect(bytes(32).bytes != bytes(32).bytes) }

  @Test func takesNoSource() {
    var byte: UInt8 = 0
    // SAFETY: one byte for one byte.
    #expect(unsafe SecRandomCopyBytes(nil, 1, &byte) == errSecSuccess)
  }

  @Test(arguments: [-1, Int.min])
  func aNegativeCountIsABadParameter(count: Int) {
    var byte: UInt8 = 7
    // SAFETY: nothing is written.
    #expect(unsafe SecRandomCopyBytes(kSecRandomDefault, count, &byte) == errSecParam)
    #expect(byte == 7)
  }
}
