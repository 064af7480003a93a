import Foundation
import LocalAuthPropertyList
import LocalAuthTestSupport
import Testing

/// What this module writes means the same to Foundation, and the other way round.
@Suite struct FoundationAgreementTests {
  private func foundation(_ value: PropertyList) -> Any {
    switch value {
    case .string(let text): text
    case .boolean(let value): value
    case .integer(let number): number
    case .real(let number): number
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let bytes): Data(bytes)
    case .array(let values): values.map(foundation)
    case .dictionary(let values): values.mapValues(foundation)
    }
  }

  private func ours(_ any: Any) throws -> PropertyList {
    switch any {
    case let text as String: return .string(text)
    case let date as Date: return .date(date.timeIntervalSinceReferenceDate)
    case let data as Data: return .data([UInt8](data))
    case let values as [Any]: return .array(try values.map(ours))
    case let values as [String: Any]: return .dictionary(try values.mapValues(ours))
    case let number as NSNumber:
      // SAFETY: the type is a C string that lives as long as the number.
      switch unsafe String(cString: number.objCType) {
      case "d", "f": return .real(number.doubleValue)
      case "c", "B": return .boolean(number.boolValue)
      default: return .integer(number.int64Value)
      }
    default: throw UnknownKind(name: "\(type(of: any))")
    }
  }

  private struct UnknownKind: Error { let name: String }

  private func read(_ bytes: [UInt8]) throws -> PropertyList {
    // SAFETY: there is no place for the format to be written to.
    let read = try unsafe PropertyListSerialization.propertyList(
      from: Data(bytes),
      options: [],
      format: nil
    )
    return try ours(read)
  }

  private func written(_ value: PropertyList) throws -> [UInt8] {
    let data = try PropertyListSerialization.data(
      fromPropertyList: foundation(value),
      format: .binary,
      options: 0
    )
    return [UInt8](data)
  }

  @Test(arguments: PropertyListSamples.plain)
  func foundationReadsWhatIsWrittenHere(_ value: PropertyList) throws {
    #expect(try read(try value.binary()) == value)
  }

  @Test(arguments: PropertyListSamples.plain)
  func whatFoundationWritesIsReadHereAndHasTheSameBytesAfterwards(_ value: PropertyList) throws {
    let read = try PropertyList(binary: try written(value))
    #expect(read == value)
    #expect(try read.binary() == value.binary())
  }

  @Test func valuesAtRandomAreTheSameToBoth() throws {
    var random = SeededGenerator.ofThisRun
    let seed = random.seed
    for _ in 0..<300 {
      let value = PropertyListSamples.random(depth: 4, &random)
      let theirs = try? read(try value.binary())
      #expect(theirs == value, "SEED=\(seed)")
      let ours = try? PropertyList(binary: try written(value))
      #expect(ours == value, "SEED=\(seed)")
    }
  }
}
