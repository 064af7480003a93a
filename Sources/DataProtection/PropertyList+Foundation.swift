import Foundation
import LocalAuthKeyValue

/// Property lists as Foundation's objects.
extension PropertyList {
  /// The property list of a Foundation object, or of a Swift value that stands for one; nil for any other.
  init?(_ object: Any) {
    switch object {
    case let text as String: self = .string(text)
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let data as Data: self = .data([UInt8](data))
    case let number as NSNumber:
      guard let value = Self.value(of: number) else { return nil }
      self = value
    case let values as [Any]:
      let parts = values.map { PropertyList($0) }
      guard !parts.contains(nil) else { return nil }
      self = .array(parts.compactMap { $0 })
    case let values as [String: Any]:
      let parts = values.compactMapValues { PropertyList($0) }
      guard parts.count == values.count else { return nil }
      self = .dictionary(parts)
    default: return nil
    }
  }

  private static func value(of number: NSNumber) -> PropertyList? {
    // SAFETY: the type is a C string that lives as long as the number.
    switch unsafe String(cString: number.objCType) {
    case "c", "B": .boolean(number.boolValue)
    case "d", "f": .real(number.doubleValue)
    default: Int64(exactly: number).map { .integer($0) }
    }
  }

  /// The value as Foundation reads it from a property list.
  var object: Any {
    switch self {
    case .string(let text): text
    case .boolean(let value): NSNumber(value: value)
    case .integer(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let bytes): Data(bytes)
    case .array(let values): values.map(\.object)
    case .dictionary(let values): values.mapValues(\.object)
    }
  }

  /// The value as a number, as a number of Foundation converts; nil if it is none.
  var number: NSNumber? {
    switch self {
    case .boolean, .integer, .real: object as? NSNumber
    case .string, .date, .data, .array, .dictionary: nil
    }
  }
}
