import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync
import Testing

@testable import LocalAuthCrypto

/// Keys of zones, shares and codes, with the real ciphers.
@Suite struct SyncKeysTests {
  private static let hash = MessageHash()
  private static let circle = hash.sha256(of: [1])

  private struct Device {
    let signer: Ed25519Signer
    let agreement = AgreementKey.generate()
    let keys: PeerKeys
    var peer: PeerIdentifier { keys.identifier(SyncKeysTests.hash) }

    init(_ name: String) throws {
      let signing = try PrivateKey.generate(.ed25519)
      let publicHalf = signing.publicKey.bytes
      let read = Ed25519Signer(seed: signing.serialize())
      signer = try #require(read)
      keys = try #require(
        PeerKeys(.device, signing: publicHalf, agreement: agreement.publicHalf, name: name)
      )
    }
  }

  private static let ports = SyncPorts(hash: hash, signatures: PeerSignatures())

  private func founded(by device: Device) throws -> CircleLog {
    let random = try #require(SyncDigest(Self.circle))
    func entry(_ signature: [UInt8]) -> CircleEntry {
      CircleEntry(
        circle: .none,
        previous: .beginning,
        author: device.peer,
        act: .found(device.keys, random: random),
        signature: signature
      )
    }
    var log = CircleLog()
    let signature = try #require(device.signer.sign(entry([]).signed))
    try log.append(entry(signature), Self.ports)
    return log
  }

  private func head(_ keyClass: ZoneKeyClass, content: SyncDigest) -> RecordHead {
    let peer = PeerIdentifier(high: 1, low: 2)
    var vector = VersionVector()
    vector.add(VersionVector.Dot(peer, 3))
    let version = RecordVersion(
      identifier: ItemIdentifier(high: 3, low: 4),
      isTombstone: false,
      modified: WallInstant(milliseconds: 5),
      keyClass: keyClass,
      content: content,
      made: VersionVector.Dot(peer, 3),
      vector: vector
    )
    return RecordHead(version, fields: [1: [1, 2], 77: [3]])
  }

  private func content(_ keys: SyncKeys) -> SyncDigest {
    keys.content([1, 2], Secret(copying: "hunter2".utf8))
  }

  private func place(
    _ keys: SyncKeys,
    _ keyClass: ZoneKeyClass,
    key: [UInt8] = [1],
    zone: ZoneName = .items,
    epoch: UInt32? = nil
  ) throws -> RecordPlace {
    RecordPlace(
      circle: try #require(SyncDigest(Self.circle)),
      zone: zone,
      name: keys.name(kind: [1], key: key),
      epoch: epoch ?? keys.epoch,
      keyClass: keyClass
    )
  }

  private func sealed(
    _ keys: SyncKeys,
    _ head: RecordHead,
    _ text: String,
    at place: RecordPlace
  ) throws -> [UInt8] {
    let body = keys.seal(head, Secret(copying: text.utf8), at: place)
    return try #require(body)
  }

  private func isRecord(
    _ keys: SyncKeys,
    _ body: [UInt8],
    at place: RecordPlace,
    _ head: RecordHead,
    _ text: String
  ) -> Bool {
    guard case .record(let found, let secret) = keys.open(body, at: place) else { return false }
    return found == head && secret.isEqual(to: Secret(copying: text.utf8))
  }

  private func isDamaged(_ keys: SyncKeys, _ body: [UInt8], at place: RecordPlace) -> Bool {
    guard case .damaged = keys.open(body, at: place) else { return false }
    return true
  }

  @Test(arguments: ZoneKeyClass.allCases)
  func aRecordOpensInItsPlaceAndNowhereElse(keyClass: ZoneKeyClass) throws {
    let keys = SyncKeys.generate()
    let head = head(keyClass, content: content(keys))
    let place = try place(keys, keyClass)
    let body = try sealed(keys, head, "hunter2", at: place)
    #expect(isRecord(keys, body, at: place, head, "hunter2"))
    let other: ZoneKeyClass = keyClass == .whenUnlocked ? .afterFirstUnlock : .whenUnlocked
    let notes = try #require(ZoneName("notes"))
    let elsewhere = [
      try self.place(keys, keyClass, key: [2]), try self.place(keys, keyClass, zone: notes),
      try self.place(keys, keyClass, epoch: 2), try self.place(keys, other),
    ]
    for wrong in elsewhere { #expect(isDamaged(keys, body, at: wrong)) }
    #expect(isDamaged(SyncKeys.generate(), body, at: place))
    let otherPlace = try self.place(keys, other)
    let isSealed = keys.seal(head, Secret(copying: "hunter2".utf8), at: otherPlace) != nil
    #expect(!isSealed)
  }

  @Test func anyChangedByteOfABodyIsNoticed() throws {
    let keys = SyncKeys.generate()
    let head = head(.afterFirstUnlock, content: content(keys))
    let place = try place(keys, .afterFirstUnlock)
    let body = try sealed(keys, head, "hunter2", at: place)
    for index in body.indices.dropFirst() {
      var changed = body
      changed[index] ^= 1
      #expect(isDamaged(keys, changed, at: place))
    }
    for count in 0..<body.count {
      #expect(isDamaged(keys, Array(body.prefix(count)), at: place))
    }
    guard case .newer = keys.open([2] + body.dropFirst(), at: place) else {
      Issue.record("a newer version is not told from damage")
      return
    }
  }

  @Test func theSizeDoesNotTellAShortSecret() throws {
    let keys = SyncKeys.generate()
    let place = try place(keys, .afterFirstUnlock)
    let sizes = try (0...100).map { count in
      let head = head(.afterFirstUnlock, content: content(keys))
      return try sealed(keys, head, String(repeating: "A", count: count), at: place).count
    }
    #expect(Set(sizes).count == 1)
  }

  @Test func aShareOpensForItsReceiverAlone() throws {
    let (sponsor, joiner) = (try Device("sponsor"), try Device("joiner"))
    let circle = try founded(by: sponsor)
    let keys = SyncKeys.generate()
    let share = try #require(
      keys.share(
        to: sponsor.peer,
        sponsor.keys,
        from: sponsor.peer,
        .items,
        in: circle,
        signedBy: sponsor.signer
      )
    )
    #expect(throws: KeyShare.Refusal.sender, "the epoch has not begun") {
      try share.verify(for: sponsor.peer, .items, epoch: 1, in: circle, Self.ports)
    }
    var begun = circle
    let roll = CircleEntry(
      circle: circle.circle,
      previous: circle.head,
      author: sponsor.peer,
      act: .roll(.items, epoch: 1, shares: KeyShare.digest([share], Self.ports.hash))
    )
    try begun.append(#require(roll.signed(by: sponsor.signer)), Self.ports)
    try share.verify(for: sponsor.peer, .items, epoch: 1, in: begun, Self.ports)
    let opened = try #require(SyncKeys.open(share, with: sponsor.agreement))
    #expect(opened.name(kind: [1], key: [1]) == keys.name(kind: [1], key: [1]))
    #expect(SyncKeys.open(share, with: joiner.agreement) == nil)
    for index in share.sealed.indices {
      var sealed = share.sealed
      sealed[index] ^= 1
      let changed = KeyShare(
        circle: share.circle,
        zone: share.zone,
        epoch: share.epoch,
        receiver: share.receiver,
        sender: share.sender,
        circleHead: share.circleHead,
        ephemeral: share.ephemeral,
        sealed: sealed,
        signature: share.signature
      )
      #expect(SyncKeys.open(changed, with: sponsor.agreement) == nil)
      #expect(throws: KeyShare.Refusal.signature) {
        try changed.verify(for: sponsor.peer, .items, epoch: 1, in: begun, Self.ports)
      }
    }
    let lowOrder = try #require(
      PeerKeys(
        .device,
        signing: sponsor.keys.signing,
        agreement: [UInt8](repeating: 0, count: 32),
        name: "low order"
      )
    )
    #expect(
      keys.share(
        to: sponsor.peer,
        lowOrder,
        from: sponsor.peer,
        .items,
        in: circle,
        signedBy: sponsor.signer
      ) == nil
    )
  }

  @Test func aNewEpochHasNewClassKeysAndTheSameNames() throws {
    let first = SyncKeys.generate()
    let second = try #require(first.next())
    #expect(second.epoch == 2)
    #expect(first.name(kind: [1], key: [2]) == second.name(kind: [1], key: [2]))
    let head = head(.afterFirstUnlock, content: content(second))
    let body = try sealed(second, head, "hunter2", at: place(second, .afterFirstUnlock))
    #expect(isDamaged(first, body, at: try place(first, .afterFirstUnlock)))
    #expect(isDamaged(first, body, at: try place(second, .afterFirstUnlock)))
  }

  @Test func whoHasTheNewestKeysCanOpenTheOlder() throws {
    let first = SyncKeys.generate()
    let second = try #require(first.next())
    let circle = try #require(SyncDigest(Self.circle))
    let wrapped = try #require(second.wrap(first, circle: circle, .items))
    #expect(first.wrap(second, circle: circle, .items) == nil)
    let whole = try #require(second.unwrap(wrapped, epoch: 1, circle: circle, .items))
    let locked = SyncKeys(epoch: 1, lockedPart: whole.lockedPart)
    let opened = try #require(locked)
    #expect(opened.rootKeys == nil && opened.next() == nil && !opened.isUnlocked)
    let place = try place(first, .whenUnlocked)
    let head = head(.whenUnlocked, content: content(first))
    let body = try sealed(first, head, "hunter2", at: place)
    guard case .locked = opened.open(body, at: place) else {
      Issue.record("a locked device opened a record of an unlocked one")
      return
    }
    #expect(second.unwrap(wrapped, epoch: 1, circle: .none, .items) == nil)
  }

  // MARK: Codes

  private func typed(_ code: consuming Secret, _ change: (inout [UInt8]) -> Void) -> Secret {
    var characters = Sample.bytes(code) ?? []
    change(&characters)
    return Secret(copying: characters)
  }

  @Test func anInvitationIsTypedAsItIsPrinted() throws {
    for _ in 0..<100 {
      let code = InvitationCode.generate()
      let printed = Sample.bytes(code.printed) ?? []
      #expect(printed.filter { !PrintedCode.isSeparator($0) }.count == PrintedCode.invitationSize)
      let read = InvitationCode(typed: code.printed)
      let typed = try #require(read)
      #expect(typed.verify(code.tag(over: [1, 2]), over: [1, 2]))
      #expect(!typed.verify(code.tag(over: [1, 2]), over: [1, 3]))
      #expect(!InvitationCode.generate().verify(code.tag(over: [1]), over: [1]))
      let lower = self.typed(code.printed) { text in
        text = text.filter { !PrintedCode.isSeparator($0) }.map { $0 >= 65 ? $0 + 32 : $0 }
      }
      let readAgain = InvitationCode(typed: lower)
      let sloppy = try #require(readAgain)
      #expect(sloppy.verify(code.tag(over: [1]), over: [1]))
    }
    // 26 times Z are 130 bits.
    for wrong in ["ABCD", String(repeating: "Z", count: 26)] {
      let isRead = InvitationCode(typed: Secret(copying: wrong.utf8)) != nil
      #expect(!isRead)
    }
  }

  @Test func aRecoveryKeyIsTypedAsItIsPrintedAndNoticesMistakes() throws {
    let key = RecoveryKey.generate()
    let printed = Sample.bytes(key.printed) ?? []
    #expect(printed.count == 28 + 6)
    #expect(printed.split(separator: UInt8(ascii: "-")).map(\.count) == [4, 4, 4, 4, 4, 4, 4])
    guard let typed = RecoveryKey(typed: key.printed) else {
      Issue.record("what was printed is not read")
      return
    }
    guard let half = key.agreementSeed(), let typedHalf = typed.agreementSeed() else {
      Issue.record("memory is short")
      return
    }
    let halves = [AgreementKey(half)?.publicHalf, AgreementKey(typedHalf)?.publicHalf]
    #expect(halves[0] != nil && halves[0] == halves[1])
    for index in printed.indices where !PrintedCode.isSeparator(printed[index]) {
      let wrong = self.typed(key.printed) { text in
        text[index] = text[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
      }
      let isRead = if RecoveryKey(typed: wrong) == nil { false } else { true }
      #expect(!isRead)
    }
  }

  @Test func onlyTheRightSignatureIsOne() throws {
    let device = try Device("device")
    let signature = try #require(device.signer.sign([1, 2, 3]))
    let signatures = PeerSignatures()
    #expect(signatures.isSignature(signature, of: [1, 2, 3], by: device.keys.signing))
    #expect(!signatures.isSignature(signature, of: [1, 2], by: device.keys.signing))
    #expect(!signatures.isSignature([], of: [1, 2, 3], by: device.keys.signing))
    let zeros = [UInt8](repeating: 0, count: 32)
    #expect(!signatures.isSignature(signature, of: [1, 2, 3], by: zeros))
    #expect(!signatures.isSignature(signature, of: [1, 2, 3], by: []))
  }

  @Test func anItemTravelsUnderItsNameAndItsContent() throws {
    let keys = SyncKeys.generate()
    var item = Item(
      identifier: ItemIdentifier(high: 3, low: 4),
      itemClass: .internetPassword,
      group: "team.app",
      accessControl: AccessControl(.whenUnlocked),
      isSynchronizable: true,
      created: WallInstant(milliseconds: 1),
      modified: WallInstant(milliseconds: 5),
      attributes: [.account: .text("anna"), .server: .text("example.org"), .port: .number(443)],
      hasData: true
    )
    let record = try ItemRecord(item)
    let secret = Secret(copying: "hunter2".utf8)
    let content = keys.content(record.content, secret)
    let place = try place(keys, record.keyClass)
    let head = RecordHead(head(record.keyClass, content: content).version, fields: record.fields)
    guard
      case .record(let found, let opened) = keys.open(
        try sealed(keys, head, "hunter2", at: place),
        at: place
      )
    else {
      Issue.record("the body does not open")
      return
    }
    let came = try ItemRecord(found)
    #expect(came.item == item)
    #expect(keys.content(came.content, opened) == found.version.content)
    let name = keys.name(kind: record.kind, key: record.key)
    #expect(keys.name(kind: came.kind, key: came.key) == name)
    item.attributes[.port] = .number(80)
    let other = try ItemRecord(item)
    #expect(keys.name(kind: other.kind, key: other.key) != name)
    #expect(keys.content(other.content, secret) != content)
    let another = Secret(copying: "hunter3".utf8)
    #expect(keys.content(record.content, another) != content)
  }
}
