import Glibc
import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct DocumentationTests {
  private static func document() -> String? {
    let file = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let stream = unsafe fopen("/\(file)/docs/sensor.md", "r") else { return nil }
    defer { unsafe fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 1 << 17)
    let count = unsafe fread(&bytes, 1, bytes.count, stream)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test func tellsEverySettingWithItsDefault() throws {
    let text = try #require(Self.document())
    for (key, value) in SensorSettings().all {
      #expect(text.contains("\n| `\(key)` | `\(value)` | "), "\(key)")
    }
  }

  @Test func tellsEveryWord() throws {
    let text = try #require(Self.document())
    for word in ScriptWord.allCases {
      let name = word.rawValue
      #expect(text.contains("`\(name)`") || text.contains("`\(name):"), "\(name)")
    }
    for word in FprintWord.allCases {
      #expect(text.contains("| `\(word.rawValue)") || text.contains(" `\(word.rawValue)"))
    }
    let words =
      Acquisition.named.map(\.word) + SensorFault.named.map(\.word)
      + EnrolmentSample.allCases.map(\.word)
    for word in words { #expect(text.contains("`\(word)`"), "\(word)") }
  }

  @Test func placesEveryRowOfTheMatrix() throws {
    let text = try #require(Self.document())
    for row in 1...49 { #expect(text.contains("\n| \(row) | "), "\(row)") }
  }
}
