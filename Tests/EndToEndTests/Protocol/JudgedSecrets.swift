import LocalAuthJSON
import LocalAuthWire

/// A call that gives a secret to a method.
struct SecretGuess: Sendable, CustomStringConvertible {
  let method: String
  let secret: JudgedSecret
  /// What the call takes, with the secret in it.
  let parameters: @Sendable (String) -> JSONValue

  var description: String { "\(method) by \(secret)" }
}

/// How somebody guesses at each secret that a method judges.
enum JudgedSecrets {
  /// The passcode of a new device judges nothing.
  static let takesPasscodeUnjudged: Set = ["io.localauth.Devices.Create"]

  /// Methods that take an application password which nothing judges: it becomes that of a new item, comes with a
  /// proof beforehand, or is not needed to delete.
  static let takesPasswordUnjudged: Set = [
    "io.localauth.Keychain.Add", "io.localauth.Keychain.AddAll",
    "io.localauth.Keychain.Delete",
    "io.localauth.Keychain.GenerateKey", "io.localauth.Keychain.EvaluateAccessControl",
  ]

  static let guesses: [SecretGuess] = passcodes + scripted + passwords + touches + touchedItems

  private static let passcodes: [SecretGuess] = [
    passcode("io.localauth.Devices.Unlock"),
    passcode("io.localauth.Devices.Delete"),
    passcode("io.localauth.Devices.RemovePasscode"),
    passcode("io.localauth.Devices.SetPasscode", ["new": "9999"]),
    passcode("io.localauth.Devices.SetLockout", ["lockout": "apple"]),
    passcode("io.localauth.Devices.AdvanceClock", ["milliseconds": 1]),
    passcode("io.localauth.Sensor.Enroll", ["finger": "left-thumb"]),
    passcode("io.localauth.Sensor.Remove"),
    respond(.passcode),
    passcode("io.localauth.Sync.Approve", ["allowSimulated": true]),
    passcode("io.localauth.Sync.Roll", ["allowSimulated": true]),
    passcode("io.localauth.Sync.Repair", ["allowSimulated": true]),
    passcode("io.localauth.Sync.RecoveryKey", ["allowSimulated": true]),
    passcode("io.localauth.Sync.Leave", ["allowSimulated": true]),
    passcode(
      "io.localauth.Sync.Remove",
      ["allowSimulated": true, "peer": .text(String(repeating: "0", count: 32))]
    ),
    passcode(
      "io.localauth.Sync.Move",
      ["allowSimulated": true, "hub": ["host": "/run/nowhere", "database": "hub"]]
    ),
    beginning("io.localauth.Sync.Found"),
    beginning("io.localauth.Sync.Join"),
    beginning("io.localauth.Sync.Recover"),
    passcode("io.localauth.Backups.Create", ["allowSimulated": true, "fileKeys": true]),
    passcode("io.localauth.Backups.Finish", ["deaths": 0]),
    SecretGuess(method: "io.localauth.Authentication.Evaluate", secret: .passcode) {
      WireClient.evaluation("passcode", on: "sim", script: "passcode:\($0),cancel")
    },
  ]

  private static func respond(_ secret: JudgedSecret) -> SecretGuess {
    SecretGuess(method: "io.localauth.Authentication.Respond", secret: secret) {
      ["passcode": .text($0)]
    }
  }

  /// Keychain calls that ask for the passcode first.
  private static let scripted: [SecretGuess] = calls(on: "guarded", "devicePasscode").map {
    method,
    parameters in
    SecretGuess(method: method, secret: .passcode) {
      parameters.setting(["script": .text("passcode:\($0),cancel"), "interactive": true])
    }
  }

  private static let passwords: [SecretGuess] =
    [respond(.applicationPassword)]
    + calls(on: "peppered", "applicationPassword").compactMap { method, parameters in
      guard !takesPasswordUnjudged.contains(method) else { return nil }
      return SecretGuess(method: method, secret: .applicationPassword) {
        parameters.setting(["applicationPassword": .text($0)])
      }
    }

  /// Keychain calls that ask for a finger first.
  private static let touchedItems: [SecretGuess] = calls(on: "touched", "biometryAny").map {
    method,
    parameters in
    SecretGuess(method: method, secret: .touch) {
      parameters.setting(["script": .text("\(event($0)),cancel"), "interactive": true])
    }
  }

  private static let touches: [SecretGuess] = [
    SecretGuess(method: "io.localauth.Sensor.Touch", secret: .touch) {
      ["device": "sim", "finger": .text($0)]
    },
    SecretGuess(method: "io.localauth.Sensor.Present", secret: .touch) {
      ["device": "sim", "event": .text(event($0))]
    },
    SecretGuess(method: "io.localauth.Authentication.Evaluate", secret: .touch) {
      WireClient.evaluation("biometrics", on: "sim", script: "\(event($0)),cancel")
    },
    SecretGuess(method: "io.localauth.Devices.Unlock", secret: .touch) {
      ["device": "sim", "script": .text("\(event($0)),cancel")]
    },
  ]

  /// What a script says for this finger.
  private static func event(_ finger: String) -> String {
    finger == "right-index" ? "match" : "miss"
  }

  private static func passcode(_ method: String, _ more: [String: JSONValue] = [:]) -> SecretGuess {
    SecretGuess(method: method, secret: .passcode) { secret in
      let parameters: JSONValue = ["device": "sim", "passcode": .text(secret)]
      return parameters.setting(more)
    }
  }

  /// A device comes into a circle at a hub that there is not.
  private static func beginning(_ method: String) -> SecretGuess {
    passcode(
      method,
      [
        "allowSimulated": true, "hub": ["host": "/run/nowhere", "database": "hub"],
        "code": "nonsense", "name": "first",
      ]
    )
  }

  /// Calls of the keychain on the password or the key with this label, which open by `flag`.
  private static func calls(on label: String, _ flag: String) -> [(String, JSONValue)] {
    let keychain = "io.localauth.Keychain."
    let password: JSONValue = ["class": "genp", "labl": .text(label)]
    let key: JSONValue = ["class": "keys", "labl": .text(label)]
    let control: JSONValue = ["protection": "ak", "flags": [.text(flag)]]
    return [
      (
        keychain + "Copy",
        WireClient.itemCall(on: "sim", password.setting(["r_Data": true]))
      ),
      (
        keychain + "Update",
        WireClient.itemCall(on: "sim", password, ["changes": ["icmt": "changed"]])
      ),
      (
        keychain + "Sign",
        WireClient.itemCall(
          on: "sim",
          key,
          ["algorithm": "algid:sign:ECDSA:message-X962:SHA256", "message": "AQ=="]
        )
      ),
      (
        keychain + "ExchangeKeys",
        WireClient.itemCall(
          on: "sim",
          key,
          ["algorithm": "algid:keyexchange:ECDH", "publicKey": .text(publicKey)]
        )
      ),
      (
        keychain + "EvaluateAccessControl",
        [
          "device": "sim", "allowSimulated": true, "accessControl": control,
          "operation": "decrypt",
        ]
      ),
    ]
  }

  /// The generator of P-256, a public key like any other.
  private static let publicKey =
    "BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU="
}
