import Foundation
import LocalAuthJSON
import Testing

/// The files that also seed the fuzzer.
@Suite struct CorpusTests {
  private static func files(_ folder: String) throws -> [URL] {
    let corpus = try #require(Bundle.module.resourceURL).appending(path: "Corpus/\(folder)")
    return try FileManager.default.contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil)
  }

  @Test func acceptsEveryAcceptedFile() throws {
    let files = try Self.files("accepted")
    #expect(files.count >= 12)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      #expect(complaint(bytes) == nil, "\(file.lastPathComponent)")
      let value = try JSONValue(parsing: bytes.span)
      var again: [UInt8] = []
      try value.write(into: &again)
      #expect(try JSONValue(parsing: again.span) == value, "\(file.lastPathComponent)")
    }
  }

  @Test func refusesEveryRefusedFile() throws {
    let files = try Self.files("refused")
    #expect(files.count >= 12)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      #expect(throws: JSONError.self, "\(file.lastPathComponent)") {
        try JSONValue(parsing: bytes.span)
      }
    }
  }
}
