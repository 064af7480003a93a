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
  private let clock: any Scheduling
  private let source: HubSource
  private let silence: Duration
  private let places = HubPlaces()

  /// Starts processes of `source`.
  ///
  /// - Parameters:
  ///   - loop: The loop.
  ///   - clock: By which rounds follow on news, and processes on each other.
  ///   - source: Where they run.
  ///   - silence: How long one may be silent that owes an answer.
  init(
    loop: EventLoop,
    clock: any Scheduling,
    source: HubSource,
    silence: Duration = HubConversation.silenceMax
  ) {
    self.loop = loop
    self.clock = clock
    self.source = source
    self.silence = silence
  }

  func link(
    for owner: UInt32,
    to address: HubAddress,
    password: SecretBox,
    onNotice: @escaping (HubNotice) -> Void
  ) -> any HubLink {
    HubConversation(loop, clock, source, silence, address, password, onNotice) { [places] in
      places.place(for: owner)
    }
  }
}

/// One conversation; a process that ended is replaced with the next request.
final class HubConversation: HubLink {
  /// How long the process may be silent that was asked something: longer than it waits for its hub, to connect and to answer.
  static let silenceMax = Duration.seconds(180)

  private let loop: EventLoop
  private let clock: any Scheduling
  private let source: HubSource
  private let patience: Duration
  private let address: HubAddress
  private let password: SecretBox
  private let onNotice: (HubNotice) -> Void
  private let newPlace: () -> HubPlaces.Place?
  /// Held as long as there is a process.
  private var place: HubPlaces.Place?
  private var channel: HubChannel?
  private var waiting: [UInt32: (HubReply) -> Void] = [:]
  private var lastNumber: UInt32 = 0
  private var isOpen = true
  /// When the process is given up, unless it says something before.
  private var silence: TimerToken?
  private var pace = NewsPace()
  /// What begins the round that is due.
  private var round: ScheduleToken?
  /// What the process said last of its hub, until it is passed on: once a second at most.
  private var word: HubNotice?
  private var wordTimer: ScheduleToken?
  private var lastWord: BootInstant?
  private static let wordInterval = Duration.seconds(1)

  init(
    _ loop: EventLoop,
    _ clock: any Scheduling,
    _ source: HubSource,
    _ patience: Duration,
    _ address: HubAddress,
    _ password: SecretBox,
    _ onNotice: @escaping (HubNotice) -> Void,
    _ newPlace: @escaping () -> HubPlaces.Place?
  ) {
    self.loop = loop
    self.clock = clock
    self.source = source
    self.patience = patience
    self.address = address
    self.password = password
    self.onNotice = onNotice
    self.newPlace = newPlace
  }

  deinit {
    channel?.close()
    for timer in [round, wordTimer].compactMap(\.self) { clock.cancel(timer) }
  }

  func ask(_ request: HubRequest, _ body: @escaping (HubReply) -> Void) {
    guard isOpen else { return }
    place = place ?? newPlace()
    guard place != nil else {
      let why = "\(HubPlaces.ofOne) devices of this user are connected to hubs already"
      return later { body(.failed(.unreachable(why))) }
    }
    do throws(SystemError) {
      let channel = try opened()
      lastNumber = lastNumber == .max ? 1 : lastNumber + 1
      waiting[lastNumber] = body
      channel.send(request.bytes(number: lastNumber))
      if silence == nil { listen() }
    } catch {
      place = nil
      later { body(.failed(.unreachable("its program cannot be started: \(error)"))) }
    }
  }

  func close() {
    isOpen = false
    waiting = [:]
    channel?.close()
    (channel, place) = (nil, nil)
    listen()
    if let round { clock.cancel(round) }
    round = nil
    forgetWord()
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
    pace.begin(at: clock.now().boot)
    channel.send(HubRequest.connect(address).bytes(number: 0xFFFF_FFFF))
    channel.send(secret: password)
    return channel
  }

  private func received(_ message: [UInt8]) {
    guard let (number, reply) = HubReply.read(message) else {
      channel?.close()
      return ended()
    }
    if case .notice(let notice) = reply { return heard(notice) }
    // What comes twice, or was not asked for, says nothing.
    guard let body = waiting.removeValue(forKey: number) else { return }
    listen()
    body(reply)
  }

  /// Only news have a round follow, which has its pace.
  private func heard(_ notice: HubNotice) {
    let now = clock.now().boot
    guard notice == .news else {
      word = notice
      let due = lastWord.map { $0 + Self.wordInterval } ?? now
      guard due > now else { return passOn() }
      guard wordTimer == nil else { return }
      wordTimer = clock.schedule(at: due) { [weak self] in self?.passOn() }
      return
    }
    pace.hear(at: now)
    follow()
  }

  private func passOn() {
    guard let word else { return }
    forgetWord()
    lastWord = clock.now().boot
    onNotice(word)
  }

  private func forgetWord() {
    if let wordTimer { clock.cancel(wordTimer) }
    (word, wordTimer) = (nil, nil)
  }

  private func ended(_ why: String = "its program ended") {
    (channel, place) = (nil, nil)
    let left = waiting.sorted { $0.key < $1.key }
    waiting = [:]
    listen()
    // Who waits for nothing hears nothing either until another program is started, and whoever waits tries again.
    pace.end(at: clock.now().boot, owingAnswers: !left.isEmpty)
    follow()
    for (_, body) in left { body(.failed(.unreachable(why))) }
  }

  /// Has the round begin that is due: now, or when its time comes.
  private func follow() {
    if let round { clock.cancel(round) }
    round = nil
    guard isOpen, let due = pace.due else { return }
    let now = clock.now().boot
    guard due <= now else {
      round = clock.schedule(at: due) { [weak self] in
        self?.round = nil
        self?.follow()
      }
      return
    }
    pace.take(at: now)
    onNotice(.news)
  }
}
