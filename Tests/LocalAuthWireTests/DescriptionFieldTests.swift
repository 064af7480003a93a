import LocalAuthTestSupport
import LocalAuthWire
import Testing

/// The descriptions that the service gives out say of every method what its messages declare, and the
/// other way round: each field's name, its type, and whether it may be absent.
@Suite struct DescriptionFieldTests {
  private func description(of interface: Interfaces.Interface) throws -> VarlinkInterface {
    try VarlinkInterface(parsing: String(decoding: interface.description, as: UTF8.self))
  }

  @Test func everyMethodIsDescribedAndNoOther() throws {
    for interface in Interfaces.all + [Interfaces.ofPrograms] {
      let described = try description(of: interface).methods.keys.map { "\(interface.name).\($0)" }
      #expect(Set(described) == Set(interface.methods.map(\.name)), "\(interface.name)")
    }
  }

  @Test func parametersAreDescribedAsTheyAreDeclared() throws {
    for interface in Interfaces.all + [Interfaces.ofPrograms] {
      let description = try description(of: interface)
      for method in interface.methods {
        let fields = try #require(description.methods[word(of: method)]).input
        expect(method.fields, fields, description, method.name)
      }
    }
  }

  @Test func repliesAreDescribedAsTheyAreDeclared() throws {
    for interface in Interfaces.all + [Interfaces.ofPrograms] {
      let description = try description(of: interface)
      for method in interface.methods {
        let fields = try #require(description.methods[word(of: method)]).output
        expect(DeclaredField.all(of: method.reply), fields, description, method.name)
      }
    }
  }

  @Test func errorsHaveOnlyParametersThatErrorsHave() throws {
    let known = DeclaredField.all(of: ServiceMessages.ErrorParameters.self)
    for interface in Interfaces.all + [Interfaces.ofPrograms] {
      let description = try description(of: interface)
      for (name, fields) in description.errors {
        for field in fields {
          let path = "\(interface.name).\(name).\(field.name)"
          let declared = try #require(known.first { $0.name == field.name }, "\(path)")
          expect(declared.type, field.kind.wrapped, description, path)
        }
      }
    }
  }

  private func word(of method: any AnyMethod) -> String {
    String(method.name.dropFirst(method.interface.count + 1))
  }

  private func expect(
    _ declared: [DeclaredField],
    _ described: [VarlinkInterface.Field],
    _ interface: VarlinkInterface,
    _ path: String
  ) {
    #expect(Set(declared.map(\.name)) == Set(described.map(\.name)), "\(path)")
    for field in described {
      guard let one = declared.first(where: { $0.name == field.name }) else { continue }
      #expect(one.isOptional == field.kind.isOptional, "\(path).\(field.name)")
      expect(one.type, field.kind.wrapped, interface, "\(path).\(field.name)")
    }
  }

  private func expect(
    _ type: any WireValue.Type,
    _ kind: VarlinkInterface.Kind,
    _ interface: VarlinkInterface,
    _ path: String
  ) {
    if case .named(let name) = kind, let meant = interface.types[name] {
      return expect(type, meant, interface, path)
    }
    if case .array(let element) = kind, let array = type as? any AnyWireArray.Type {
      return expect(array.element, element, interface, path + "[]")
    }
    if case .structure(let fields) = kind, let object = type as? any WireObject.Type {
      return expect(DeclaredField.all(of: object), fields, interface, path)
    }
    let fits: Bool
    switch kind {
    case .string: fits = type == String.self || type == WireSecret.self || type == WireBytes.self
    case .choice: fits = type == String.self
    case .int: fits = type == Int64.self
    case .bool: fits = type == Bool.self
    // Varlink cannot name a type of another interface; what Unlock streams is described for Evaluate.
    case .object: fits = type == WireQuery.self || path.hasPrefix("io.localauth.Devices.Unlock.")
    default: fits = false
    }
    #expect(fits, "\(path) is declared as \(type) and described as \(kind)")
  }
}
