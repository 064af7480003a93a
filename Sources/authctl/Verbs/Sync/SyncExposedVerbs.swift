import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthWire

/// `authctl sync exposed`: what removed devices know.
enum SyncExposedVerbs {
  static let exposed = Command(
    "exposed",
    abstract: "Show the secrets that removed devices know.",
    discussion: """
      Change them where they are used, and here. What has another secret is not shown any more, and what was deleted
      cannot be: write it down before. A device that was removed before this one joined is known to those that were
      there.
      """,
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let known = try KnownSecrets(context, try context.device())
    known.sayReservations(context)
    return Report(known.sentence, answer: known.lines) {
      known.write(to: &$0)
      known.writeUnlisted(to: &$0)
    }
  }
}

/// What removed devices know, as far as a device can say it.
struct KnownSecrets {
  var secrets: [SyncMessages.Exposed] = []
  var unlisted: [SyncMessages.UnlistedPeer] = []

  /// What a device says.
  init(_ context: VerbContext, _ device: DeviceChoice) throws(Failure) {
    while true {
      let call = SyncDecisionVerbs.listCall(device, after: secrets.count)
      let reply = try context.call(Methods.exposedSecrets, call)
      secrets += reply.secrets
      unlisted = reply.unlisted
      guard !reply.secrets.isEmpty, secrets.count < reply.total else { return }
    }
  }

  /// What one removed device knows.
  func of(_ peer: String) -> Self {
    var own = self
    own.secrets = secrets.filter { $0.peer == peer }
    own.unlisted = unlisted.filter { $0.peer == peer }
    return own
  }

  // MARK: For people

  private var named: [SyncMessages.Exposed] { secrets.filter { $0.item != nil } }

  /// How much there is, and of what that is not all.
  var sentence: String { ([whole] + reservations).joined(separator: " ") }

  private var whole: String {
    guard secrets.isEmpty else {
      return "\(CountText.of(secrets.count, "secret")) known to removed devices."
    }
    return unlisted.isEmpty
      ? "Nothing is left to change of the items that removed devices knew."
      : "Nothing is left to change of what this device knows."
  }

  /// What the list has not, in sentences.
  var reservations: [String] {
    var sentences: [String] = []
    let count = secrets.count - named.count
    if count > 0 {
      sentences.append(
        "\(CountText.of(count, "secret")) cannot be named yet, as while the device is locked; 'authctl sync exposed' names what is open."
      )
    }
    let before = names { $0.wasRemovedBefore }
    if !before.isEmpty {
      sentences.append(
        "This device joined after \(before) was removed: devices that were there then list what it knew."
      )
    }
    let behind = names { !$0.wasRemovedBefore }
    if !behind.isEmpty {
      sentences.append("Not everything has come yet that \(behind) could read: 'authctl sync now'.")
    }
    return sentences
  }

  /// Says what the list has not, where a list is all that would be read.
  func sayReservations(_ context: VerbContext) {
    guard !lines.isEmpty, !context.output.wantsJSON else { return }
    for sentence in reservations { context.output.say(sentence) }
  }

  private func names(_ isMeant: (SyncMessages.UnlistedPeer) -> Bool) -> String {
    unlisted.filter(isMeant).map(\.peerName).joined(separator: ", ")
  }

  /// The secrets that have names.
  var lines: [String] {
    Columns.table(named.map { [$0.peerName, SyncDecisionVerbs.name($0.item)] })
  }

  // MARK: For programs

  /// The secrets.
  func write(to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("secrets", secrets) { secret, writer in
      writer.member("peer", secret.peer)
      writer.member("peerName", secret.peerName)
      writer.key("item")
      if let item = secret.item {
        SyncDecisionVerbs.write(item, to: &writer)
      } else {
        writer.null()
      }
    }
  }

  /// The devices of which this one cannot say what they know.
  func writeUnlisted(to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("unlisted", unlisted) { peer, writer in
      writer.member("peer", peer.peer)
      writer.member("peerName", peer.peerName)
      writer.member("wasRemovedBefore", peer.wasRemovedBefore)
    }
  }
}
