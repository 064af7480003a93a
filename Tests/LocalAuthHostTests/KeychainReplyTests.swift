import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// What a client receives of an answer of the engine's.
@Suite struct KeychainReplyTests {
  private let loop: EventLoop
  private let client: ClientConnection
  private let far: FarEnd

  /// The client's end, which a test reads from.
  private final class FarEnd {
    var socket: ClientSocket

    init(_ socket: consuming ClientSocket) { self.socket = socket }
  }

  init() throws {
    let loop = try EventLoop()
    let pair = try SocketPair()
    let peer = try PeerIdentity(of: pair.ours.rawValue)
    (client, far) = try pair.split { ours, theirs in
      Self.ends(ours, theirs, peer, loop)
    }.get()
    self.loop = loop
  }

  private static func ends(
    _ ours: consuming FileDescriptor,
    _ theirs: consuming FileDescriptor,
    _ peer: PeerIdentity,
    _ loop: EventLoop
  ) -> Result<(ClientConnection, FarEnd), any Error> {
    let connection = Connection(ours, peer: peer, on: loop)
    let caller = Caller(uid: peer.userID, pid: peer.processID, program: "test")
    let local = EntitlementsSource(systemFile: nil, userFile: nil).entitlement(of: peer)
    do {
      try connection.start(onFrame: { _, _ in }, onClose: { _, _ in })
      let far = FarEnd(try ClientSocket(descriptor: theirs))
      return .success(
        (ClientConnection(connection, of: caller, local, number: 7, looksAtProgram: true), far)
      )
    } catch {
      return .failure(error)
    }
  }

  private func responder() throws -> Responder {
    let frame = Array(#"{"method":"io.localauth.Keychain.Copy","more":true}"#.utf8)
    // SAFETY: the array stays in place in the closure.
    let call = try unsafe frame.withUnsafeBytes { try unsafe IncomingCall(frame: $0) }
    return client.responder(for: call, streams: true)
  }

  private func box(_ bytes: [UInt8]) -> SecretBox {
    // SAFETY: the array stays in place in the closure.
    unsafe bytes.withUnsafeBytes { SecretBox(unsafe Secret(copying: $0)) }
  }

  private func item(_ number: UInt64, data: [UInt8]?) -> FoundItem {
    FoundItem(
      item: Item(
        identifier: ItemIdentifier(high: 0x4000, low: 1 << 63 | number),
        itemClass: .genericPassword,
        group: "local",
        accessControl: AccessControl(.whenUnlocked),
        created: WallInstant(milliseconds: 1),
        modified: WallInstant(milliseconds: 2),
        attributes: [.account: .text("me"), .digest: .data([1])],
        hasData: data != nil
      ),
      data: data.map { box($0) }
    )
  }

  /// Sends the answer and gives what the client receives: its text, and the data of each item.
  private func receive(_ answer: KeychainAnswer) throws -> (text: String, data: [[UInt8]?]) {
    try responder().reply(answer, WireLimits())
    for _ in 0..<1000 {
      _ = try loop.runOnce(timeout: .zero)
      do throws(ClientSocketError) {
        // SAFETY: the frame is read inside the closure.
        return try unsafe far.socket.receiveFrame(until: .after(.milliseconds(10))) { frame in
          (unsafe String(decoding: frame, as: UTF8.self), unsafe Self.data(in: frame))
        }
      } catch {
        guard case .timedOut = error else { throw error }
      }
    }
    Issue.record("no reply came")
    return ("", [])
  }

  private static func data(in frame: UnsafeRawBufferPointer) -> [[UInt8]?] {
    guard let reply = try? unsafe IncomingReply(frame: frame), let range = reply.parameters,
      let read = try? unsafe KeychainMessages.AskReply.read(range, of: frame)
    else { return [] }
    let parameters = unsafe UnsafeRawBufferPointer(rebasing: frame[range])
    return (read.answer?.items ?? []).map { item in
      guard let data = item.data else { return nil }
      var bytes: [UInt8] = []
      try? unsafe data.decodeBase64(from: parameters) {
        bytes.append($0)
        return true
      }
      return bytes
    }
  }

  @Test(arguments: [0, 1, 3000, 4000, 64 * 1024]) func dataOfAnItemArrives(_ count: Int) throws {
    let data = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let got = try receive(KeychainAnswer(items: [item(1, data: data)], returns: .data))
    #expect(got.data == [data])
  }

  @Test func dataOfSeveralItemsStaysWithItsItem() throws {
    let items = (1...4).map { number in
      item(UInt64(number), data: [UInt8](repeating: UInt8(number), count: 60_000))
    }
    let between = item(9, data: nil)
    let got = try receive(KeychainAnswer(items: [items[0], between] + items[1...], returns: .data))
    #expect(got.data.map { $0?.count } == [60_000, nil, 60_000, 60_000, 60_000])
    #expect(got.data.map { $0?.first } == [1, nil, 2, 3, 4])
    #expect(got.data.map { $0?.last } == [1, nil, 2, 3, 4])
  }

  @Test func answerThatIsTooLongIsAnErrorAndNoHangup() throws {
    let items = (0..<20).map { item(UInt64($0), data: [UInt8](repeating: 0, count: 64 * 1024)) }
    let got = try receive(KeychainAnswer(items: items, returns: .data))
    #expect(got.text.hasPrefix(#"{"error":"io.localauth.Keychain.Internal""#))
  }

  @Test func onlyWhatWasAskedForIsThere() throws {
    let found = item(1, data: nil)
    let bare = try receive(KeychainAnswer(items: [found])).text
    #expect(
      bare.contains(
        #""items":[{"class":"genp","identifier":"00000000-0000-4000-8000-000000000001"}]"#
      )
    )
    let named = try receive(KeychainAnswer(items: [found], returns: .persistentReference)).text
    #expect(named.contains(#""persistentReference":"Z2VucAAAAAAAAEAAgAAAAAAAAAE="}"#))
    let shown = try receive(KeychainAnswer(items: [found], returns: .attributes)).text
    #expect(
      shown.contains(
        #""group":"local","created":1,"modified":2,"accessible":"ak","synchronizable":false,"#
          + #""attributes":{"acct":"me"}}"#
      )
    )
    let both = try receive(
      KeychainAnswer(items: [item(1, data: [0])], returns: [.attributes, .data])
    ).text
    #expect(both.contains(#""attributes":{"acct":"me","sha1":{"data":"AQ=="}},"data":"AA=="}"#))
  }

  @Test func failureSaysWhyAndWhatToDo() throws {
    for error: KeychainError in [
      .itemNotFound, .locked, .accessGroup("x"), .authentication(.biometryLockout), .noSuchClass,
    ] {
      let text = try receive(KeychainAnswer(error: error)).text
      #expect(text.contains(#""status":\#(error.status.rawValue),"outcome":"\#(error.word)""#))
      #expect(text.contains(#""exit":\#(error.exit)"#))
      #expect(text.contains(#""items":[]"#))
    }
  }

  @Test func callsWithoutAContextHaveOneThatNobodyCanName() throws {
    let first = try responder()
    let second = try responder()
    let contexts = [first.nextOwnContext(), first.nextOwnContext(), second.nextOwnContext()]
    #expect(Set(contexts).count == 3)
    #expect(contexts.allSatisfy { Int64(exactly: $0) == nil })
    #expect(first.connection == 7)
  }
}
