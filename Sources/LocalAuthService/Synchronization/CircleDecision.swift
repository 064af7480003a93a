import LocalAuthCore
import LocalAuthSync

/// A decision on a circle that the owner of a device makes.
struct CircleDecision {
  /// The act, as the audit has it.
  let act: String
  /// What it is about, as the audit has it; empty for the circle itself.
  let object: String
  /// Why the person is asked.
  let reason: String
  /// What exactly the person approves, word for word.
  let action: ActionText?
  /// Whether a finger will do where a passcode is set, too.
  let takesFinger: Bool
  /// The policy that has to be proven besides that of the owner; nil for none.
  let policy: String?

  private init(
    _ act: String,
    about object: String = "",
    reason: String,
    action: String,
    takesFinger: Bool = false,
    policy: String? = nil
  ) {
    self.act = act
    self.object = object
    self.reason = reason
    self.action = ActionText(action)
    self.takesFinger = takesFinger
    self.policy = policy
  }

  /// Founds a circle at a hub; a caller may name a policy, here as where a device joins.
  static func found(at host: String, as name: String, under policy: String?) -> Self {
    Self(
      "sync found",
      about: "\(place(host)) as \(named(name))",
      reason: "found a circle of devices",
      action:
        "send what is synchronized here, sealed, to \(place(host)), and found a circle there as \(named(name))",
      takesFinger: true,
      policy: policy
    )
  }

  /// Joins the circle of a sponsor, as the device with these words, which are empty where it cannot join.
  static func join(
    at host: String,
    as name: String,
    _ words: [String],
    under policy: String?
  ) -> Self {
    let device = words.isEmpty ? named(name) : named(name, words)
    return Self(
      "sync join",
      about: "\(place(host)) as \(device)",
      reason: "join a circle of devices",
      action:
        "give what is synchronized here to the circle at \(place(host)), and join it as \(device)",
      takesFinger: true,
      policy: policy
    )
  }

  /// Joins a circle by its recovery key.
  static func recover(at host: String, as name: String, under policy: String?) -> Self {
    Self(
      "sync recover",
      about: "\(place(host)) as \(named(name))",
      reason: "join a circle by its recovery key",
      action:
        "give what is synchronized here to the circle at \(place(host)), and join it as \(named(name))",
      takesFinger: true,
      policy: policy
    )
  }

  /// Lets a device in, nil where none answered; a caller may name a policy.
  static func approve(_ device: SyncReport.Answering?, under policy: String?) -> Self {
    let object = device.map { named($0.name, $0.words) } ?? ""
    return Self(
      "sync approve",
      about: object,
      reason: "let a device into your circle",
      action: "let in \(object)",
      takesFinger: true,
      policy: policy
    )
  }

  /// Removes a peer, which is nil where the circle has none of this identifier.
  static func remove(
    _ identifier: PeerIdentifier,
    _ peer: PeerKeys?,
    _ hash: any MessageHashing
  ) -> Self {
    let object =
      switch peer?.kind {
      case .device?: peer.map { named($0.name, $0.words(hash)) } ?? ""
      case .recovery?: "the recovery key"
      case nil: identifier.text
      }
    return Self(
      "sync remove",
      about: object,
      reason: "remove a device from your circle",
      action: "remove \(object)"
    )
  }

  static let roll = Self(
    "sync roll",
    reason: "make new keys for your circle",
    action: "make new keys for the circle"
  )
  static let repair = Self(
    "sync repair",
    reason: "go on with a hub that lost something",
    action: "go on with a hub that lost something"
  )
  static let recoveryKey = Self(
    "sync recovery-key",
    reason: "make a recovery key for your circle",
    action: "make a recovery key, by which anybody who reads it joins the circle"
  )

  /// Has the hub asked at another address.
  static func move(to host: String) -> Self {
    Self(
      "sync move",
      about: place(host),
      reason: "reach the hub of your circle elsewhere",
      action: "reach the hub of the circle at \(place(host))"
    )
  }

  static let leave = Self(
    "sync leave",
    reason: "leave your circle",
    action: "forget the circle on this device"
  )

  /// A device as a person is told of it: the name that it gave itself, and the words that are made of its keys.
  private static func named(_ name: String, _ words: [String]) -> String {
    "\(named(name)) with the words \(words.joined(separator: " "))"
  }

  private static func named(_ name: String) -> String {
    quoted(name) ?? "a device whose name cannot be shown"
  }

  private static func place(_ host: String) -> String {
    quoted(host) ?? "an address that cannot be shown"
  }

  /// A text in quotation marks; nil if it would not be read as it is, or leaves no room for the rest of an action.
  private static func quoted(_ text: String) -> String? {
    guard text.utf8.count < ActionText.bytesMax / 4 else { return nil }
    return ActionText(text).map { "'\($0.text)'" }
  }
}
