import LocalAuthJSON
import LocalAuthUnix
import Testing

/// One device, called by every method there is.
struct DeviceLife {
  private let service: DescribedService
  private let authentication = Interface.authentication
  private let devices = Interface.devices
  private let sensor = Interface.sensor
  private let sim: JSONValue = ["device": "sim"]

  /// Methods whose answer needs a second connection, which checks it itself.
  let answeredElsewhere: Set<String> = [
    "io.localauth.Sensor.Touch", "io.localauth.Sensor.Present", "io.localauth.Agents.Register",
    // A daemon of one user keeps no copy of its audit.
    "io.localauth.Devices.VerifyAudit",
    // It ends the daemon that is to answer the others.
    "io.localauth.Daemon.Stop",
    // These take a hub: SyncTests.
    "io.localauth.Sync.Join", "io.localauth.Sync.Invite", "io.localauth.Sync.Answering",
    "io.localauth.Sync.Approve", "io.localauth.Sync.Decline", "io.localauth.Sync.Remove",
    "io.localauth.Sync.Roll", "io.localauth.Sync.Repair", "io.localauth.Sync.Recover",
    "io.localauth.Sync.RecoveryKey", "io.localauth.Sync.Move",
    "io.localauth.Sync.Resolve",
  ]

  init(_ service: DescribedService) { self.service = service }

  private func succeed(_ method: String, _ parameters: JSONValue = [:]) throws {
    let reply = try service.call(method, parameters)
    #expect(reply.error == nil, "\(method): \(reply)")
  }

  private func fail(_ method: String, _ parameters: JSONValue, with error: String) throws {
    let reply = try service.call(method, parameters)
    #expect(reply.errorName == error, "\(method): \(reply)")
  }

  func make() throws {
    try succeed("org.varlink.service.GetInfo")
    try succeed(
      "org.varlink.service.GetInterfaceDescription",
      ["interface": "org.varlink.service"]
    )
    for name in ["List", "Audit", "Status"] { try succeed(devices + name) }
    for name in ["Status", "Reload"] { try succeed(Interface.daemon + name) }
    try succeed("io.localauth.Authenticators.List")
    try succeed(
      devices + "Create",
      [
        "device": "sim", "fingers": ["right-index"], "passcode": "1234", "sensor": "simulated",
        "lockout": "apple", "passcodeDelays": "apple-2023",
      ]
    )
    try succeed(devices + "Status", sim)
    try succeed(devices + "List")
    try succeed(
      Interface.policies + "Check",
      ["file": "a.json", "source": "{\"requirement\": 7}"]
    )
    try succeed(Interface.policies + "List")
    try succeed(Interface.policies + "Show", ["policy": "device-owner"])
  }

  func drive() throws {
    for name in ["List", "Dump", "Reset"] { try succeed(sensor + name, sim) }
    try succeed(sensor + "Set", sim.setting(["key": "enroll-stages", "value": "3"]))
    try succeed(
      sensor + "Enroll",
      sim.setting(["finger": "left-thumb", "passcode": "1234"])
    )
    try succeed(sensor + "Remove", sim.setting(["finger": "left-thumb", "passcode": "1234"]))
    try succeed(sensor + "Script", sim.setting(["events": "miss,retry:partial,match"]))
  }

  func evaluate(answeringWith other: WireClient, on third: WireClient) throws {
    let biometrics = WireClient.evaluation("biometrics", on: "sim")
    // The script that was queued answers with a miss and a poor sample before the match.
    try succeed(authentication + "Evaluate", biometrics)
    try succeed(authentication + "CanEvaluate", ["policy": "biometrics", "device": "sim"])
    let remembered = biometrics.setting(["maxAgeSeconds": 60, "maxUses": 2])
    try succeed(authentication + "Evaluate", remembered.setting(["script": "match"]))
    try succeed(authentication + "Evaluate", remembered)
    try succeed(Interface.grants + "List")
    try succeed(Interface.grants + "Revoke", sim)
    let unknown = JSONValue.text(String(repeating: "0", count: 32))
    try fail(Interface.grants + "Revoke", ["grant": unknown], with: "Refused")
    for script in ["miss,cancel", "error:timeout", "match", "miss,fallback"] {
      try succeed(
        authentication + "Evaluate",
        biometrics.setting(["script": .text(script)])
      )
    }
    try succeed(
      authentication + "Evaluate",
      WireClient.evaluation("passcode", on: "sim", script: "passcode:0000,passcode:1234")
    )
    try answer(with: other)
    try touch(with: other, third)
  }

  private func answer(with other: WireClient) throws {
    let prompt = try other.beginEvaluation("device-owner-parallel", on: "sim")
    try succeed(
      authentication + "Respond",
      ["nonce": prompt["nonce"] ?? "", "passcode": "1234"]
    )
    let result = try other.receiveResult()
    for reply in result.replies { try service.check(reply, to: authentication + "Evaluate") }
    #expect(result.outcome == "success")
  }

  private func touch(with other: WireClient, _ third: WireClient) throws {
    for (method, parameters): (String, JSONValue) in [
      ("Touch", ["device": "sim", "finger": "right-index"]),
      ("Present", ["device": "sim", "event": "match"]),
    ] {
      _ = try other.beginEvaluation(on: "sim")
      // What is asked is described, too.
      try succeed(devices + "Status", sim)
      let reply = try third.call(sensor + method, parameters)
      try service.check(reply, to: sensor + method)
      #expect(reply.error == nil)
      #expect(try other.receiveResult().outcome == "success")
    }
  }

  func register(answeringWith other: WireClient) throws {
    let refused = try other.call(Interface.agents + "Register")
    try service.check(refused, to: Interface.agents + "Register")
    #expect(refused.errorName == "InvalidArgument")
    try other.send(Interface.agents + "Register", more: true)
    try service.check(try other.receive(), to: Interface.agents + "Register")
    // Who registered asks for nobody of its own process.
    try succeed(
      authentication + "Evaluate",
      WireClient.evaluation("biometrics", on: "sim", ["agent": true])
    )
    other.close()
  }

  private func keepFiles() throws {
    let now = try service.callOnce("io.localauth.Devices.Watch", sim)
    #expect(now.parameters["state"] == "unlocked")
    let files = "io.localauth.Files."
    let call = sim.setting(["allowSimulated": true, "protection": "complete"])
    let made = try service.call(files + "MakeKey", call).parameters
    let wrapped: [String: JSONValue] = [
      "identifier": try #require(made["identifier"]),
      "wrappedKey": try #require(made["wrappedKey"]),
    ]
    let opened = try service.call(files + "OpenKey", call.setting(wrapped)).parameters
    #expect(opened["key"]?.string == made["key"]?.string)
    try fail(
      files + "OpenKey",
      call.setting(wrapped).setting(["protection": "none"]),
      with: "Refused"
    )
  }

  /// Founds a circle at a hub that nobody reaches, and leaves it.
  private func goBetweenDevices() throws {
    let sync = "io.localauth.Sync."
    let call = sim.setting(["allowSimulated": true])
    let hub: JSONValue = ["host": "/nowhere", "database": "hub"]
    let unproven = call.setting(["hub": hub, "name": "first"])
    let beginning = unproven.setting(["passcode": "1234"])
    try fail(sync + "Status", call, with: "SyncFailed")
    try fail(sync + "Found", beginning.setting(["code": "nonsense"]), with: "SyncFailed")
    // Nobody is asked about a code that is none.
    for verb in ["Found", "Join", "Recover"] {
      try fail(sync + verb, unproven.setting(["code": "nonsense"]), with: "SyncFailed")
    }
    let code: JSONValue = "0000-0000-0000-0000-0000-0000-00"
    try fail(sync + "Join", beginning.setting(["code": code]), with: "SyncFailed")
    try succeed(sync + "Found", beginning.setting(["code": code]))
    // Who was not told types the code once more, which changes nothing.
    try succeed(sync + "Found", unproven.setting(["code": code]))
    try fail(sync + "Join", beginning.setting(["code": code]), with: "SyncFailed")
    try succeed(sync + "Status", call)
    try succeed(sync + "Synchronize", call)
    for verb in ["Invite", "Answering", "Decline"] {
      try fail(sync + verb, call, with: "SyncFailed")
    }
    for verb in ["Conflicts", "Exposed"] { try succeed(sync + verb, call) }
    let resolution: JSONValue = .text(String(repeating: "0", count: 64))
    try fail(
      sync + "Resolve",
      call.setting(["conflict": resolution, "decision": "discard"]),
      with: "SyncFailed"
    )
    try fail(sync + "Recover", beginning.setting(["code": code]), with: "SyncFailed")
    for verb in ["Roll", "Repair", "RecoveryKey"] {
      try fail(sync + verb, call, with: "PasscodeRequired")
    }
    // Nobody is asked about a device that there is not.
    try fail(sync + "Approve", call, with: "SyncFailed")
    for verb in ["Approve", "Roll", "Repair", "RecoveryKey"] {
      try fail(sync + verb, call.setting(["passcode": "1234"]), with: "SyncFailed")
    }
    try fail(sync + "Approve", call.setting(["policy": "nonsense"]), with: "SyncFailed")
    let peer: JSONValue = .text(String(repeating: "0", count: 32))
    let removal = call.setting(["peer": peer, "passcode": "1234"])
    try fail(sync + "Remove", removal, with: "SyncFailed")
    try fail(sync + "Leave", call, with: "PasscodeRequired")
    try succeed(sync + "Leave", call.setting(["passcode": "1234"]))
  }

  private func keepValues() throws {
    let values = "io.localauth.KeyValues."
    let call = sim.setting(["allowSimulated": true])
    let list: JSONValue = "YnBsaXN0MDAJCAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAJ"
    let change: JSONValue = ["key": "k", "value": list]
    try succeed(values + "Write", call.setting(["changes": [change], "writer": 7]))
    let read = try service.call(values + "Read", call.setting(["keys": ["k"]])).parameters
    #expect(read["values"]?.elements.first?["value"] == list)
    let watch = try service.callOnce(values + "Watch", call)
    #expect(watch.parameters["revision"]?.integer == 1)
    let wrong: JSONValue = ["key": "k", "value": "AAAA"]
    try fail(values + "Write", call.setting(["changes": [wrong]]), with: "InvalidArgument")
    try fail(values + "Read", call.setting(["store": "other"]), with: "Refused")
    try fail(
      values + "Read",
      call.setting(["from": ["key": "k", "offset": -1]]),
      with: "InvalidParameter"
    )
    try fail(values + "Watch", call.setting(["writer": -1]), with: "InvalidParameter")
  }

  private func keepRows() throws {
    let tables = "io.localauth.Tables."
    let call = sim.setting(["allowSimulated": true])
    let row = call.setting(["table": "notes", "row": "milk"])
    // An array of the text "a".
    let list: JSONValue = "YnBsaXN0MDChAVFhCAoAAAAAAAABAQAAAAAAAAACAAAAAAAAAAAAAAAAAAAADA=="
    let change: JSONValue = [
      "table": "notes", "row": "milk", "columns": ["title"], "values": list, "nulls": ["old"],
    ]
    let written = try service.call(tables + "Write", call.setting(["changes": [change]])).parameters
    #expect(written["changed"]?.integer == 1)
    let read = try service.call(tables + "Read", row).parameters["row"]
    #expect(read?["columns"]?.elements.first?.string == "title" && read?["values"] == list)
    #expect(read?["nulls"]?.elements.first?.string == "old" && read?["deleted"]?.boolean == false)
    let none = try service.call(tables + "Read", row.setting(["row": "none"])).parameters
    #expect(none["row"] == nil)
    let changes = try service.call(tables + "Changes", call).parameters
    #expect(changes["token"] == written["token"] && changes["rows"]?.elements.count == 1)
    #expect(changes["more"]?.boolean == false && changes["anew"]?.boolean == false)
    let behind = call.setting(["after": try #require(written["token"])])
    #expect(
      try service.call(tables + "Changes", behind).parameters["rows"]?.elements.isEmpty == true
    )
    let watch = try service.callOnce(tables + "Watch", call)
    #expect(watch.parameters["token"] == written["token"])
    for wrong: JSONValue in [
      ["table": "", "row": "a"], ["table": "t", "row": ""],
      ["table": "t", "row": "a", "columns": ["a"]],
      ["table": "t", "row": "a", "columns": ["a"], "values": "AAAA"],
      ["table": "t", "row": "a", "columns": ["a", "b"], "values": list],
      ["table": "t", "row": "a", "columns": ["a"], "values": list, "nulls": ["a"]],
      ["table": "t", "row": "a", "nulls": ["a"], "delete": true],
      ["table": "t", "row": "a", "nulls": [""]],
    ] {
      try fail(tables + "Write", call.setting(["changes": [wrong]]), with: "InvalidArgument")
    }
    try fail(tables + "Changes", call.setting(["group": "other"]), with: "Refused")
    try fail(tables + "Changes", call.setting(["after": "x"]), with: "InvalidParameter")
    try fail(tables + "Watch", call.setting(["writer": -1]), with: "InvalidParameter")
  }

  private func keepDocuments() throws {
    let documents = "io.localauth.Documents."
    let call = sim.setting(["allowSimulated": true])
    let note = call.setting(["name": "notes/today.txt"])
    try succeed(documents + "Write", note.setting(["bytes": "bWls", "continues": true]))
    let written = try service.call(documents + "Write", note.setting(["bytes": "aw=="])).parameters
    #expect(written["size"]?.integer == 4 && written["changed"]?.boolean == true)
    let read = try service.call(documents + "Read", note.setting(["offset": 1])).parameters
    #expect(read["bytes"]?.string == "aWxr" && read["version"] == written["version"])
    let listed = try service.call(documents + "List", call).parameters
    #expect(listed["documents"]?.elements.first?["name"]?.string == "notes/today.txt")
    let over = note.setting(["bytes": "AAAA", "over": "0"])
    try fail(documents + "Write", over, with: "Refused")
    let watch = try service.callOnce(documents + "Watch", call)
    #expect(watch.parameters["changed"] == nil && watch.parameters["removed"] == nil)
    try fail(documents + "Watch", call.setting(["writer": -1]), with: "InvalidParameter")
    try fail(documents + "Remove", note.setting(["writer": -1]), with: "InvalidParameter")
    let versions = try service.call(documents + "Versions", note).parameters
    #expect(versions["versions"]?.elements.first?["version"] == written["version"])
    try fail(documents + "Settle", note.setting(["versions": ["0"]]), with: "Refused")
    try succeed(documents + "Settle", note.setting(["versions": []]))
    try fail(documents + "Read", note.setting(["offset": -1]), with: "InvalidParameter")
    try fail(documents + "Read", note.setting(["version": "0"]), with: "Refused")
    try fail(documents + "List", call.setting(["cursor": "AAAA"]), with: "InvalidParameter")
    try fail(documents + "List", call.setting(["container": "other"]), with: "Refused")
    for name: JSONValue in ["../a", "", "a//b"] {
      let bad = call.setting(["name": name])
      for verb in ["Read", "Versions", "Remove"] {
        try fail(documents + verb, bad, with: "InvalidArgument")
      }
      try fail(documents + "Write", bad.setting(["bytes": "AAAA"]), with: "InvalidArgument")
      try fail(documents + "Settle", bad.setting(["versions": []]), with: "InvalidArgument")
    }
    try succeed(documents + "Remove", note)
    try fail(documents + "Remove", note, with: "Refused")
  }

  private func backUp() throws {
    let backups = "io.localauth.Backups."
    let call = sim.setting(["allowSimulated": true])
    let many = JSONValue(.array((0..<65).map { .text("group \($0)") }))
    let none: JSONValue = []
    for (key, value) in [
      ("groups", none), ("groups", many), ("classes", none), ("classes", ["unlocked"]),
    ] {
      try fail(backups + "Create", call.setting([key: value]), with: "InvalidParameter")
    }
    try fail(backups + "Create", call.setting(["groups": ["*"]]), with: "NotPermitted")
    let begun = try service.call(
      backups + "Create",
      call.setting(["password": "correct horse battery", "partial": true])
    )
    #expect(begun.error == nil, "\(begun)")
    var pieces: [JSONValue] = []
    var header: JSONValue?
    while header == nil {
      let piece = try service.call(backups + "Read").parameters
      pieces.append(try #require(piece["bytes"]))
      header = piece["header"]?.string.map { .text($0) }
    }
    let open = call.setting(["header": try #require(header), "purpose": "replace", "dryRun": true])
    try fail(backups + "Open", open, with: "Refused")
    try succeed(backups + "Open", open.setting(["password": "correct horse battery"]))
    for piece in pieces.dropLast() where piece.string != "" {
      try succeed(backups + "Write", ["chunk": piece])
    }
    try succeed(backups + "Deletions")
    try succeed(backups + "Finish", ["trailer": try #require(pieces.last)])
    try fail(backups + "Read", [:], with: "Refused")
  }

  func keep() throws {
    let keychain = "io.localauth.Keychain."
    let item: JSONValue = ["class": "genp", "acct": "me", "svce": "mail"]
    let asked = sim.setting(["allowSimulated": true, "interactive": false, "context": 1])
    try succeed(
      keychain + "Add",
      asked.setting(["query": item.setting(["r_PersistentRef": true]), "data": "aHVudGVyMg=="])
    )
    let another: JSONValue = ["class": "genp", "acct": "another"]
    try succeed(
      keychain + "AddAll",
      asked.setting(["items": [["query": another, "data": "aHVudGVyMg=="]]])
    )
    let everything: [String: JSONValue] = [
      "r_Data": true, "r_Attributes": true, "r_PersistentRef": true,
    ]
    try succeed(
      keychain + "Copy",
      asked.setting([
        "query": item.setting(everything), "after": .text(String(repeating: "0", count: 72)),
      ])
    )
    try succeed(keychain + "Copy", asked.setting(["query": item.setting(everything)]))
    try succeed(
      keychain + "Update",
      asked.setting(["query": item, "changes": ["labl": "mail"], "data": ""])
    )
    try succeed(keychain + "Delete", asked.setting(["query": item]))
    try keepFiles()
    try keepValues()
    try keepDocuments()
    try keepRows()
    try backUp()
    try goBetweenDevices()
    try succeed(
      keychain + "EvaluateAccessControl",
      asked.setting([
        "accessControl": ["protection": "ak", "flags": ["biometryAny"]], "operation": "decrypt",
        "script": "match",
      ])
    )
    try useKeys(keychain, asked)
    try succeed(keychain + "InvalidateContext", ["context": 1])
    try succeed(keychain + "Groups")
    try refuse(keychain, asked, item)
  }

  private func useKeys(_ keychain: String, _ asked: JSONValue) throws {
    let made = try service.call(
      keychain + "GenerateKey",
      asked.setting(["query": ["labl": "key", "r_Attributes": true]])
    )
    try service.check(made, to: keychain + "GenerateKey")
    let attributes = made.parameters["answer"]?["items"]?.elements.first?["attributes"]
    let publicKey = try #require(attributes?["toid"]?["data"])
    let key: JSONValue = ["class": "keys", "labl": "key"]
    try succeed(
      keychain + "Sign",
      asked.setting([
        "query": key, "algorithm": "algid:sign:ECDSA:message-X962:SHA256", "message": "AQ==",
      ])
    )
    try succeed(
      keychain + "ExchangeKeys",
      asked.setting([
        "query": key, "algorithm": "algid:keyexchange:ECDH:KDFX963:SHA256",
        "publicKey": publicKey, "size": 48, "sharedInfo": "AQ==",
      ])
    )
    try fail(
      keychain + "Sign",
      asked.setting(["query": key, "algorithm": "none", "message": "AQ=="]),
      with: "InvalidParameter"
    )
  }

  private func refuse(_ keychain: String, _ asked: JSONValue, _ item: JSONValue) throws {
    let large = String(repeating: "AAAA", count: 64 * 1024 / 3 + 1)
    let answer = try service.call(
      keychain + "Add",
      asked.setting(["query": item, "data": .text(large)])
    ).parameters["answer"]
    #expect(answer?["status"]?.integer == -25_302)
    #expect(answer?["exit"]?.integer == 24)
    for wrong: [String: JSONValue] in [
      ["query": item, "data": "a"], ["query": item.setting(["v_Data": "AAAA"])],
      ["query": item, "context": -1], ["query": ["acct": ["blob": "x"]]],
    ] {
      try fail(keychain + "Add", asked.setting(wrong), with: "InvalidParameter")
    }
    try fail(
      keychain + "Copy",
      asked.setting(["query": item, "after": "x"]),
      with: "InvalidParameter"
    )
    try fail(
      keychain + "Delete",
      ["query": item, "device": "nobody"],
      with: "DeviceNotFound"
    )
  }

  func administer() throws {
    let passcode: [String: JSONValue] = ["passcode": "1234"]
    try succeed(devices + "SetPasscode", sim.setting(["passcode": "1234", "new": "1234"]))
    try succeed(devices + "SetLockout", sim.setting(passcode).setting(["lockout": "android"]))
    try succeed(devices + "Unlock", sim.setting(passcode))
    try succeed(devices + "Lock", sim)
    try succeed(devices + "Unlock", sim.setting(["script": "match"]))
    try succeed(devices + "AdvanceClock", sim.setting(["milliseconds": 1000]))
    try succeed(devices + "Audit", sim.setting(["limit": 1000]))
    try succeed(Interface.assertions + "Keys", ["simulated": true])
    try succeed(Interface.assertions + "Rotate", [:])
  }

  func fail() throws {
    try fail(devices + "Create", sim, with: "DeviceExists")
    try fail(devices + "Status", ["device": "nobody"], with: "DeviceNotFound")
    try fail(devices + "Create", ["device": "a b"], with: "InvalidArgument")
    try fail(devices + "Delete", sim, with: "PasscodeRequired")
    try fail(devices + "Delete", sim.setting(["passcode": "0"]), with: "Refused")
    try fail(devices + "Delete", ["device": "default"], with: "NotPermitted")
    try fail(sensor + "List", ["device": "nobody"], with: "DeviceNotFound")
    try fail(sensor + "Dump", ["device": "default"], with: "NoSimulatedSensor")
    try fail(sensor + "Touch", sim.setting(["finger": "left-thumb"]), with: "NotArmed")
    try fail(
      sensor + "Touch",
      sim.setting(["finger": "sixth-finger"]),
      with: "InvalidParameter"
    )
    try fail(sensor + "Set", sim.setting(["key": "a", "value": "b"]), with: "InvalidArgument")
    try fail(sensor + "Present", sim.setting(["event": "dance"]), with: "ScriptInvalid")
    try fail(sensor + "Script", sim.setting(["events": "dance"]), with: "ScriptInvalid")
    try fail(sensor + "Enroll", sim.setting(["finger": "left-thumb"]), with: "PasscodeRequired")
    try fail(
      sensor + "Enroll",
      sim.setting(["finger": "right-index", "passcode": "1234"]),
      with: "EnrollmentFailed"
    )
    try fail(Interface.policies + "Show", ["policy": "nobody"], with: "PolicyNotFound")
    try fail(
      authentication + "Evaluate",
      WireClient.evaluation("nobody", on: "sim"),
      with: "PolicyNotFound"
    )
    try fail(
      authentication + "Evaluate",
      WireClient.evaluation("biometrics", on: "nobody"),
      with: "DeviceNotFound"
    )
    try fail(
      authentication + "Evaluate",
      WireClient.evaluation("biometrics", on: "sim", script: "dance"),
      with: "ScriptInvalid"
    )
    try fail(
      authentication + "Evaluate",
      WireClient.evaluation("biometrics", on: "default", script: "match"),
      with: "NotPermitted"
    )
    try fail(devices + "Unlock", sim.setting(["script": "dance"]), with: "ScriptInvalid")
    try fail(
      authentication + "Respond",
      ["nonce": "00000000000000000000000000000000", "action": "cancel"],
      with: "PromptNotFound"
    )
  }

  func end() throws {
    try succeed(devices + "Reboot", sim)
    try succeed(devices + "RemovePasscode", sim.setting(["passcode": "1234"]))
    try succeed(devices + "Erase", sim)
    try succeed(devices + "Delete", sim)
  }
}
