import LocalAuthPropertyList

/// The columns of a row as calls carry them: names, a binary property list of an array with their values, and the names of
/// those without one.
public struct TableColumns: Hashable, Sendable {
  /// The columns that have a value.
  public var names: [String] = []
  /// Their values; nil for none.
  public var list: [UInt8]?
  /// The columns without a value.
  public var nulls: [String] = []

  /// The columns with these names and values.
  public init(names: [String], list: [UInt8]?, nulls: [String]) {
    self.names = names
    self.list = list
    self.nulls = nulls
  }

  /// Columns in the order of their names.
  public init(_ values: [ExactText: CellValue]) {
    var elements: [PropertyList] = []
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let element = value.list else {
        nulls.append(name.text)
        continue
      }
      names.append(name.text)
      elements.append(element)
    }
    if !elements.isEmpty { list = try? PropertyList.array(elements).binary() }
  }

  /// Why columns are none.
  public enum Refusal: Error, Hashable, Sendable {
    /// The list is no array, or not of as many elements as there are names.
    case list
    /// The column with this name has a value that no column has, such as a date.
    case value(String)
    /// The column with this name is named twice.
    case twice(String)
  }

  /// The values by column.
  ///
  /// - Throws: ``Refusal``.
  public func values() throws(Refusal) -> [ExactText: CellValue] {
    var values: [ExactText: CellValue] = [:]
    for (name, element) in zip(names, try elements()) {
      guard let value = CellValue(element) else { throw .value(name) }
      guard values.updateValue(value, forKey: ExactText(name)) == nil else { throw .twice(name) }
    }
    for name in nulls {
      guard values.updateValue(.null, forKey: ExactText(name)) == nil else { throw .twice(name) }
    }
    return values
  }

  private func elements() throws(Refusal) -> [PropertyList] {
    guard let list else {
      guard names.isEmpty else { throw .list }
      return []
    }
    guard case .array(let elements)? = try? PropertyList(binary: list),
      elements.count == names.count
    else { throw .list }
    return elements
  }
}

extension CellValue {
  /// The value as a property list; nil for no value.
  fileprivate var list: PropertyList? {
    switch self {
    case .null: nil
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .string(text)
    case .blob(let bytes): .data(bytes)
    }
  }

  /// The value that a property list says; nil for one that no column has.
  fileprivate init?(_ list: PropertyList) {
    switch list {
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .number(number)
    case .string(let text): self = .text(text)
    case .data(let bytes): self = .blob(bytes)
    case .boolean, .date, .array, .dictionary: return nil
    }
  }
}
