import LocalAuthWire

/// A field of a message, as its type declares it.
struct DeclaredField {
  let name: String
  let type: any WireValue.Type
  let isOptional: Bool
}

extension AnyMethod {
  /// What a call may hold, the parameters of every call included.
  var fields: [DeclaredField] {
    let addressing = access.namesUser ? DeclaredField.all(of: Addressed<Methods.Empty>.self) : []
    return DeclaredField.all(of: parameters) + addressing
  }
}

extension DeclaredField {
  /// The fields of a message, in the order in which they are written.
  static func all(of type: any WireObject.Type) -> [DeclaredField] {
    func fields<Object: WireObject>(of _: Object.Type) -> [DeclaredField] {
      var object = Object()
      var list = FieldList()
      // A list has nothing to object to.
      try? object.map(&list)
      return list.fields
    }
    return fields(of: type)
  }
}

private struct FieldList: FieldMapper {
  private(set) var fields: [DeclaredField] = []

  mutating func required<Value: WireValue>(_ name: StaticString, _ value: inout Value) {
    fields.append(DeclaredField(name: "\(name)", type: Value.self, isOptional: false))
  }

  mutating func optional<Value: WireValue>(_ name: StaticString, _ value: inout Value?) {
    fields.append(DeclaredField(name: "\(name)", type: Value.self, isOptional: true))
  }
}

/// An array of any elements that can be on the wire.
protocol AnyWireArray {
  static var element: any WireValue.Type { get }
}

extension Array: AnyWireArray where Element: WireValue {
  static var element: any WireValue.Type { Element.self }
}
