import Glibc
import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthUnix

/// Where the program runs that is connected to hubs.
public enum HubSource: Sendable {
  /// Nowhere: no device is synchronized.
  case none
  /// In processes of the program at this path, which the host starts.
  case program(String)
  /// In processes that are started by another account, one for each connection to the socket at this path.
  case socket(String)
}

/// Conversations with hubs, each by way of a process of its own that has no keys.
final class HubWorkers: HubLinking {
  private let loop: EventLoop
  private let source: HubSource
  private let silence: Duration

  /// Starts processes of `source`; one that owes an answer may be silent for `silence`.
  init(loop: EventLoop, source: HubSource, silence: Duration = HubConversation.silenceMax) {
    self.loop = loop
    self.source = source
    self.silence = silence
  }

  func link(
    to address: HubAddress,
    password: SecretBox,
    onNews: @escaping () -> Void
  ) -> any HubLink {
    HubConversation(loop, source, silence, address, password, onNews)
  }
}

/// One conversation; a process that ended is replaced with the next request.
final class HubConversation: HubLink {
  /// How long the process may be silent that was asked something: longer than it waits for its hub, to connect and to answer.
  static let silenceMax = Duration.seconds(180)

  private let loop: EventLoop
  private let source: HubSource
  private let patience: Duration
  private let address: HubAddress
  private let password: SecretBox
  private let onNews: () -> Void
  private var channel: HubChannel?
  private var waiting: [UInt32: (HubReply) -> Void] = [:]
  private var lastNumber: UInt32 = 0
  private var isOpen = true
  /// When the process is given up, unless it says something before.
  private var silence: TimerToken?

  init(
    _ loop: EventLoop,
    _ source: HubSource,
    _ patience: Duration,
    _ address: HubAddress,
    _ password: SecretBox,
    _ onNews: @escaping () -> Void
  ) {
    self.loop = loop
    self.source = source
    self.patience = patience
    self.address = address
    self.password = password
    self.onNews = onNews
  }

  deinit { channel?.close() }

  func ask(_ request: HubRequest, _ body: @escaping (HubReply) -> Void) {
    guard isOpen else { return }
    do throws(SystemError) {
      let channel = try opened()
      lastNumber = lastNumber == .max ? 1 : lastNumber + 1
      waiting[lastNumber] = body
      channel.send(request.bytes(number: lastNumber))
      if silence == nil { listen() }
    } catch {
      later { body(.failed(.unreachable("its program cannot be started: \(error)"))) }
    }
  }

  func close() {
    isOpen = false
    waiting = [:]
    channel?.close()
    channel = nil
    listen()
  }

  /// Begins to wait anew for the process, if it owes an answer.
  private func listen() {
    if let silence { loop.cancel(silence) }
    silence = nil
    guard !waiting.isEmpty else { return }
    silence = loop.schedule(at: SystemClock.bootNow() + patience) { [weak self] in
      guard let self else { return }
      silence = nil
      channel?.close()
      ended("its program does not answer")
    }
  }

  private func later(_ body: @escaping () -> Void) {
    loop.onNextTurn { [weak self] in
      if self?.isOpen == true { body() }
    }
  }

  // MARK: The process

  private func opened() throws(SystemError) -> HubChannel {
    if let channel { return channel }
    guard let password = password.copied()?.take() else {
      throw SystemError("mmap", code: ENOMEM, subject: "the password")
    }
    let channel = try HubChannel(source, on: loop) { [weak self] in
      self?.received($0)
    } onEnd: { [weak self] in
      self?.ended()
    }
    self.channel = channel
    channel.send(HubRequest.connect(address).bytes(number: 0xFFFF_FFFF))
    channel.send(secret: password)
    return channel
  }

  private func received(_ message: [UInt8]) {
    guard let (number, reply) = HubReply.read(message) else {
      channel?.close()
      return ended()
    }
    if reply == .news { return onNews() }
    // What comes twice, or was not asked for, says nothing.
    guard let body = waiting.removeValue(forKey: number) else { return }
    listen()
    body(reply)
  }

  private func ended(_ why: String = "its program ended") {
    channel = nil
    let left = waiting.sorted { $0.key < $1.key }
    waiting = [:]
    listen()
    for (_, body) in left { body(.failed(.unreachable(why))) }
    // Who waits for nothing hears nothing either until another program is started, and whoever waits tries again.
    if left.isEmpty { onNews() }
  }
}
