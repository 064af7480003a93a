import Foundation
import LocalAuthJSON
import Testing

/// Foundation as the oracle; `SEED=…` replays a run.
///
/// Known differences, all of them Foundation's leniency: it accepts a byte order mark and UTF-16 and
/// UTF-32, which it recognises by zero bytes; a comma before the closing bracket; one of two members
/// with equal keys; 512 levels and any number of keys.
@Suite struct FoundationAgreementTests {
  private let seed =
    ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 20_240_601

  private func oracle(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }

  /// Whether both have read the same.
  private func agrees(_ value: JSONValue, _ other: Any) -> Bool {
    switch value.content {
    case .null: other is NSNull
    case .bool(let value): other as? Bool == value
    case .integer(let value): (other as? NSNumber)?.int64Value == value
    case .number(let value): (other as? NSNumber)?.doubleValue == value
    case .string(let value):
      (other as? String)?.unicodeScalars.elementsEqual(value.unicodeScalars) ?? false
    case .array(let elements): agrees(elements, other as? [Any])
    case .object(let members): agrees(members, other as? [String: Any])
    }
  }

  private func agrees(_ elements: [JSONValue], _ others: [Any]?) -> Bool {
    guard let others, others.count == elements.count else { return false }
    return zip(elements, others).allSatisfy { agrees($0, $1) }
  }

  private func agrees(_ members: [JSONValue.Member], _ others: [String: Any]?) -> Bool {
    guard let others else { return false }
    return members.allSatisfy { member in
      others[member.key].map { agrees(member.value, $0) } ?? false
    }
  }

  @Test func readsRandomDocumentsLikeFoundation() throws {
    var texts = RandomText(seed: seed)
    for round in 0..<2_000 {
      let bytes = texts.document()
      let value = try JSONValue(parsing: bytes.span)
      let other = try #require(oracle(bytes), "seed \(seed), round \(round)")
      #expect(
        agrees(value, other),
        "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))"
      )
    }
  }

  /// Whether Foundation is known to read the text otherwise.
  private func isKnownDifference(_ bytes: [UInt8], _ error: JSONError?) -> Bool {
    if bytes.contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return true }
    guard let error else { return false }
    return error.kind == .duplicateKey || isTrailingComma(bytes, error)
  }

  private func isTrailingComma(_ bytes: [UInt8], _ error: JSONError) -> Bool {
    guard error.kind == .expectedValue || error.kind == .expectedKey,
      [UInt8(ascii: "]"), UInt8(ascii: "}")].contains(bytes[error.offset])
    else { return false }
    return bytes[..<error.offset].last { $0 > 0x20 } == UInt8(ascii: ",")
  }

  @Test func acceptsAndRefusesMutationsLikeFoundation() {
    var texts = RandomText(seed: seed)
    var (accepted, refused) = (0, 0)
    for round in 0..<20_000 {
      let document = texts.document()
      let bytes = texts.mutation(of: document)
      var error: JSONError?
      do throws(JSONError) { _ = try JSONValue(parsing: bytes.span) } catch let thrown {
        error = thrown
      }
      if isKnownDifference(bytes, error) { continue }
      if error == nil { accepted += 1 } else { refused += 1 }
      let isAgreed = (error == nil) == (oracle(bytes) != nil)
      let verdict = error.map(\.description) ?? "accepted"
      let text = String(decoding: bytes, as: UTF8.self).debugDescription
      #expect(isAgreed, "seed \(seed), round \(round), \(verdict): \(text)")
    }
    #expect(accepted > 1_000 && refused > 1_000)
  }

  @Test func writesWhatFoundationReads() throws {
    var texts = RandomText(seed: seed)
    for round in 0..<1_000 {
      let document = texts.document()
      let value = try JSONValue(parsing: document.span)
      var bytes: [UInt8] = []
      try value.write(into: &bytes)
      let other = try #require(oracle(bytes), "seed \(seed), round \(round)")
      #expect(agrees(value, other), "seed \(seed), round \(round)")
      #expect(try JSONValue(parsing: bytes.span) == value, "seed \(seed), round \(round)")
    }
  }
}
