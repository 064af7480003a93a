import LocalAuthCore
import LocalAuthJSON
import LocalAuthTestSupport
import Testing

@testable import LocalAuthPolicies

@Suite struct PolicySchemaTests {
  private static let kinds = PolicyKind.allCases

  private static func schema(_ kind: PolicyKind) throws -> JSONSchema {
    let bytes = RepositoryFiles.bytes("policies/schema/\(kind.rawValue).schema.json")
    return JSONSchema(try JSONValue(parsing: bytes.span))
  }

  /// Whether the loader takes `bytes` as a file of `kind`.
  private func loads(_ bytes: [UInt8], _ kind: PolicyKind) -> Bool {
    message { () throws(PolicyError) in
      switch kind {
      case .policy: _ = try PolicyFile.parse(bytes, file: "F.json")
      case .lockout: _ = try LockoutProfileFile.parse(bytes, file: "F.json")
      case .passcodeDelay: _ = try PasscodeDelaysFile.parse(bytes, file: "F.json")
      case .sensor: _ = try SensorProfileFile.parse(bytes, file: "F.json")
      }
    } == nil
  }

  private func keys(_ value: JSONValue?) -> Set<String> {
    guard case .object(let members)? = value?.content else { return [] }
    return Set(members.map(\.key))
  }

  private func words(_ value: JSONValue?) -> [String] {
    guard case .array(let elements)? = value?.content else { return [] }
    return elements.compactMap { element in
      if case .string(let word) = element.content { return word }
      return nil
    }
  }

  @Test func thereIsASchemaForEachKindAndNoOther() {
    #expect(
      RepositoryFiles.names(in: "policies/schema")
        == (Self.kinds.map { "\($0.rawValue).schema.json" }
        + [
          "administration.schema.json", "authenticator.schema.json", "entitlements.schema.json",
        ]).sorted()
    )
  }

  @Test(arguments: kinds) func usesOnlyKeywordsThatAreChecked(_ kind: PolicyKind) throws {
    var pending = [try Self.schema(kind).root]
    while let schema = pending.popLast() {
      guard case .object(let members) = schema.content else { continue }
      for member in members {
        #expect(JSONSchema.keywords.contains(member.key), "\(member.key)")
        switch member.key {
        case "properties", "$defs":
          guard case .object(let inner) = member.value.content else { break }
          pending += inner.map(\.value)
        case "anyOf", "oneOf":
          guard case .array(let inner) = member.value.content else { break }
          pending += inner
        case "items": pending.append(member.value)
        default: break
        }
      }
    }
  }

  @Test(arguments: kinds) func everyShippedFileIsValid(_ kind: PolicyKind) throws {
    let schema = try Self.schema(kind)
    let names = RepositoryFiles.names(in: "policies/\(kind.rawValue)")
    #expect(names.count >= 3)
    for name in names {
      let bytes = RepositoryFiles.bytes("policies/\(kind.rawValue)/\(name)")
      #expect(schema.accepts(try JSONValue(parsing: bytes.span)), "\(name)")
    }
  }

  @Test func namesTheKeysThatTheLoaderReads() throws {
    let policy = try Self.schema(.policy).root
    #expect(keys(policy["properties"]) == Set(PolicyFile.keys))
    #expect(
      keys(policy["$defs"]?["freshness"]?["properties"]) == Set(PolicyFile.freshnessKeys)
    )
    let lockout = try Self.schema(.lockout).root
    #expect(keys(lockout["properties"]) == Set(LockoutProfileFile.keys))
    #expect(keys(lockout["$defs"]?["row"]?["properties"]) == Set(DelayFile.rowKeys))
    #expect(keys(lockout["$defs"]?["forgets"]?["properties"]) == Set(DelayFile.forgetsKeys))
    let delays = try Self.schema(.passcodeDelay).root
    #expect(keys(delays["properties"]) == Set(PasscodeDelaysFile.keys))
    #expect(keys(delays["$defs"]?["row"]?["properties"]) == Set(DelayFile.rowKeys))
    #expect(keys(delays["$defs"]?["forgets"]?["properties"]) == Set(DelayFile.forgetsKeys))
  }

  @Test func namesTheKeysOfASensorThatTheLoaderReads() throws {
    let sensor = try Self.schema(.sensor).root
    #expect(keys(sensor["properties"]) == Set(SensorProfileFile.keys))
    for (part, names) in [
      ("calibration", SensorProfileFile.calibrationKeys), ("descriptor", DescriptorObject.keys),
      ("latency", SensorProfileFile.latencyKeys),
      ("fingerState", SensorProfileFile.fingerStateKeys),
    ] {
      #expect(keys(sensor["$defs"]?[part]?["properties"]) == Set(names), "\(part)")
    }
    guard case .array(let kinds)? = sensor["$defs"]?["population"]?["oneOf"]?.content else {
      Issue.record("no kinds of population")
      return
    }
    let found = kinds.map { kind in
      (words(kind["properties"]?["kind"]?["enum"]), keys(kind["properties"]))
    }
    #expect(found.flatMap(\.0) == PopulationKind.allCases.map(\.rawValue))
    #expect(found.map(\.1) == PopulationKind.allCases.map { Set($0.keys + ["kind"]) })
  }

  @Test func listsTheWordsThatTheLoaderReads() throws {
    let properties = try Self.schema(.policy).root["properties"]
    #expect(
      words(properties?["presentation"]?["enum"])
        == Policy.Presentation.allCases.map(\.rawValue)
    )
    #expect(
      words(properties?["fallback"]?["enum"]) == Policy.FallbackMode.allCases.map(\.rawValue)
    )
    #expect(
      words(properties?["minimumStrength"]?["enum"]) == SensorStrength.allCases.map(\.rawValue)
    )
  }

  @Test func limitsWhatTheLoaderLimits() throws {
    let policy = try Self.schema(.policy).root
    let list = policy["$defs"]?["requirements"]
    #expect(list?["maxItems"] == JSONValue(.integer(Int64(PolicyFile.partsLimit))))
    let tries = policy["properties"]?["passcodeTries"]
    #expect(tries?["maximum"] == JSONValue(.integer(Int64(PolicyFile.tries.upperBound))))
    for kind in [PolicyKind.lockout, .passcodeDelay] {
      let schema = try Self.schema(kind).root
      #expect(
        schema["properties"]?["delays"]?["maxItems"]
          == JSONValue(.integer(Int64(DelayFile.rowsLimit)))
      )
      #expect(
        schema["$defs"]?["failures"]?["maximum"]
          == JSONValue(.integer(Int64(DelayFile.failures.upperBound)))
      )
    }
  }

  /// Shipped files with members removed, exchanged and replaced: what loads must be valid.
  @Test(arguments: kinds) func acceptsWhateverTheLoaderAccepts(_ kind: PolicyKind) throws {
    let schema = try Self.schema(kind)
    let shipped = try RepositoryFiles.names(in: "policies/\(kind.rawValue)").map { name in
      try JSONValue(
        parsing: RepositoryFiles.bytes("policies/\(kind.rawValue)/\(name)").span
      )
    }
    var generator = SeededGenerator.ofThisRun
    var loaded = 0
    for round in 0..<1000 {
      guard let file = shipped.randomElement(using: &generator),
        let other = shipped.randomElement(using: &generator)
      else { break }
      let mutant = file.mutated(with: other, using: &generator)
      var bytes: [UInt8] = []
      try mutant.write(into: &bytes)
      guard loads(bytes, kind) else { continue }
      loaded += 1
      #expect(
        schema.accepts(mutant),
        "SEED=\(generator.seed) round \(round): \(String(decoding: bytes, as: UTF8.self))"
      )
    }
    #expect(loaded > 50)
  }
}

extension JSONValue {
  /// The value with one change somewhere in it.
  fileprivate func mutated(with other: JSONValue, using generator: inout SeededGenerator) -> Self {
    let spare: [JSONValue] = [
      nil, true, 0, 1, 3, 7, 2.5, "48h", "1s", "biometry", "passcode", "parallel", "forced",
      "strong", 0.5, 1e-300, 0.9995, "beta", ["kind": "beta", "correlation": 0.2],
      ["selfAttestedFRR": 0.03, "selfAttestedFAR": 0.0001, "maxRetries": 5],
      "apple", "x y", "\u{7}", [], ["anyOf": ["passcode", "biometry"]], ["allOf": []],
    ]
    switch content {
    case .object(var members) where !members.isEmpty:
      let index = Int.random(in: 0..<members.count, using: &generator)
      let member = members[index]
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: members.remove(at: index)
      case 1:
        if case .object(let others) = other.content,
          let extra = others.randomElement(using: &generator),
          self[extra.key] == nil
        {
          members.append(extra)
        }
      case 2:
        members[index] = .init(
          key: member.key,
          value: spare.randomElement(using: &generator) ?? nil
        )
      default:
        members[index] = .init(
          key: member.key,
          value: member.value.mutated(with: other, using: &generator)
        )
      }
      return JSONValue(.object(members))
    case .array(var elements) where !elements.isEmpty:
      let index = Int.random(in: 0..<elements.count, using: &generator)
      elements[index] = elements[index].mutated(with: other, using: &generator)
      if Bool.random(using: &generator) { elements.swapAt(index, 0) }
      return JSONValue(.array(elements))
    case .null, .bool, .integer, .number, .string, .array, .object:
      return spare.randomElement(using: &generator) ?? nil
    }
  }
}
