import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import LocalAuthService
import Testing

/// Which models a simulated sensor can be told to be: those that the catalogue has, and no other in their place.
@Suite struct SensorModelTests {
  private static let door =
    #"{"name": "door", "summary": "s", "source": "s", "calibration": {"dPrime": 4, "falseMatch": 0.01}}"#

  private func directory(_ files: [String: String]) -> PolicyDirectory {
    PolicyDirectory(
      path: "/etc/localauth/policies",
      files: files.sorted { $0.key < $1.key }.map { name, text in
        .init(path: "sensor/\(name).json", contents: .bytes(Array(text.utf8)))
      }
    )
  }

  private func rig(_ files: [String: String] = [:], state: StoredState? = nil) -> Rig {
    guard let state else {
      let rig = Rig(system: directory(files))
      rig.makeDevice(stoppedClock: true)
      return rig
    }
    let rig = Rig(state: state, system: directory(files))
    rig.run()
    return rig
  }

  private func set(_ model: String, on rig: Rig) -> EngineError? {
    var error: EngineError?
    rig.engine.set("model", model, on: "sim", caller: rig.caller) { result in
      if case .failure(let found) = result { error = found }
    }
    rig.run()
    return error
  }

  private func model(_ rig: Rig) throws -> String? {
    try rig.engine.dumpSensor(on: "sim", caller: rig.caller).first { $0.key == "model" }?.value
  }

  @Test func everyProfileOfTheCatalogueCanBeSet() throws {
    let rig = rig(["door": Self.door])
    for name in PolicyCatalog().sensorProfileNames + ["door", "d-prime:5.0,fmr:0.001"] {
      #expect(set(name, on: rig) == nil, "\(name)")
      #expect(try model(rig) == name)
      #expect(rig.store.device?.sensorSettings?["model"] == name)
    }
  }

  @Test func anUnknownNameIsAnsweredWithThoseThereAre() throws {
    let rig = rig(["door": Self.door])
    #expect(set("standard", on: rig) == nil)
    #expect(
      set("touch-id", on: rig)
        == .invalidArgument(
          "There is no sensor profile \"touch-id\"; there are: android-class-3, door, fido, goats, "
            + "nist, standard, v-smart-convenient, v-smart-medium, v-smart-secure."
        )
    )
    #expect(try model(rig) == "standard")
  }

  @Test func aBrokenProfileSaysWhatIsWrongWithItsFile() throws {
    let rig = rig(["goats": "{}"])
    let message =
      "/etc/localauth/policies/sensor/goats.json:1:1: the key \"name\" is missing; it is required here"
    #expect(set("goats", on: rig) == .policyUnusable(policy: "goats", message: message))
    #expect(try model(rig) == "none")
    #expect(throws: EngineError.policyUnusable(policy: "goats", message: message)) {
      try rig.evaluate(script: "set:model=goats,match")
    }
  }

  @Test func aScriptNamesOnlyWhatThereIs() throws {
    let rig = rig(["door": Self.door])
    #expect(try rig.outcome(script: "set:model=door,match") == .success)
    #expect(try model(rig) == "door")
    let error = #expect(throws: EngineError.self) {
      try rig.evaluate(script: "match,set:model=window")
    }
    guard case .scriptInvalid(let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.hasPrefix("There is no sensor profile \"window\"; there are: "))
    var effects: [Result<SensorEffect, EngineError>] = []
    let event = ScriptSource(text: .of("set:model=window"), isArgument: true)
    rig.engine.present(event: event, on: "sim", caller: rig.caller) { effects.append($0) }
    rig.run()
    #expect(effects == [.failure(.scriptInvalid(message))])
    #expect(try model(rig) == "door")
  }

  @Test func aDeviceKeepsItsModelOverARestart() throws {
    let first = rig(["door": Self.door])
    #expect(set("door", on: first) == nil)
    let stored = first.store.state
    #expect(try model(rig(["door": Self.door], state: stored)) == "door")
  }

  @Test(arguments: [[:], ["door": "{}"]])
  func aDeviceWhoseModelIsGoneIsNotGivenOthers(_ files: [String: String]) throws {
    let first = rig(["door": Self.door])
    #expect(set("door", on: first) == nil)
    let stored = first.store.state
    let again = rig(files, state: stored)
    let error = #expect(throws: EngineError.self) { try self.model(again) }
    guard case .policyUnusable("sim", let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let expected =
      files.isEmpty ? "there is no sensor profile \"door\"; allowed: " : "/etc/localauth"
    #expect(message.hasPrefix(expected))
  }
}
