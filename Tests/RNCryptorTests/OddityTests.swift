import Foundation
import RNCryptor
import Testing

@Suite struct OddityTests {
  private let message = RNCryptor.encrypt(data: Data("content".utf8), withPassword: "p")

  @Test func nothingIsOddAboutAMessage() {
    #expect(RNCryptor.oddity(in: message) == nil)
  }

  @Test func textIsToldFromBytes() {
    #expect(RNCryptor.oddity(in: message.base64EncodedData()) == .base64)
    let lines = message.base64EncodedData(options: [.lineLength64Characters, .endLineWithLineFeed])
    #expect(RNCryptor.oddity(in: lines) == .base64)
    let digits = message.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    #expect(RNCryptor.oddity(in: Data(digits.utf8)) == .hexadecimal)
  }

  @Test func aWordIsNoEncodedMessage() {
    #expect(RNCryptor.oddity(in: Data("secret text".utf8)) == .version(UInt8(ascii: "s")))
  }

  @Test func lengthsAreToldInBytes() {
    #expect(RNCryptor.oddity(in: Data()) == .empty)
    #expect(RNCryptor.oddity(in: message.prefix(1)) == .length(1, ofAtLeast: 66))
    #expect(RNCryptor.oddity(in: message.prefix(81)) == .length(81, ofAtLeast: 82))
    #expect(RNCryptor.oddity(in: message + [0, 0]) == .partOfABlock(2))
  }

  @Test(arguments: [0, 1, 2, 4, 9, 255] as [UInt8])
  func otherVersionsAreNamed(_ version: UInt8) {
    #expect(RNCryptor.oddity(in: [version] + message.dropFirst()) == .version(version))
  }

  @Test func theDraftOfVersion4IsKnownByItsMagic() {
    #expect(RNCryptor.oddity(in: Data("RNC".utf8) + message) == .version(4))
  }

  @Test func unknownOptionsAreNamed() {
    var odd = message
    odd[1] = 6
    #expect(RNCryptor.oddity(in: odd) == .options(6))
  }

  @Test func everyOddityIsASentence() {
    let all: [RNCryptor.Oddity] =
      [.empty, .base64, .hexadecimal, .options(9), .length(3, ofAtLeast: 66), .partOfABlock(1)]
      + (0...5).map { .version($0) }
    #expect(Set(all.map(\.description)).count == all.count)
    for oddity in all { #expect(oddity.description.hasSuffix(".")) }
  }
}
