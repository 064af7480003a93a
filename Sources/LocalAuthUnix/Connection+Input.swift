import CLocalAuthLinux
import Glibc
import LocalAuthCore

extension Connection {
  func receive() {
    let got: Int
    do throws(SystemError) {
      got = input.isEmpty ? try receiveIntoScratch() : try receiveIntoInput()
    } catch {
      return finish(.failed(error))
    }
    switch got {
    case -Int(EAGAIN): break
    case -Int(ECONNRESET): finish(input.isEmpty ? .peerClosed : .frameIncomplete)
    case ..<0: finish(.failed(SystemError("recv", code: Int32(-got))))
    case 0: endInput()
    default: break
    }
  }

  /// Reads into the loop's scratch memory and keeps only what follows the complete frames.
  private func receiveIntoScratch() throws(SystemError) -> Int {
    let scratch = unsafe loop.scratch.start
    // SAFETY: the loop runs one handler at a time, so its scratch memory is ours until we return,
    // and every range below lies in the `got` bytes received there.
    var sender: pid_t = 0
    let got = unsafe la_receive(descriptor, scratch, loop.scratch.capacity, &sender)
    guard got > 0 else { return got }
    noteSender(sender)
    let delivery = unsafe deliver(UnsafeMutableRawBufferPointer(start: scratch, count: got))
    // The usual case: only whole frames, so nothing to keep.
    if delivery.used == got { return got }
    let rest = unsafe UnsafeRawBufferPointer(
      start: scratch + delivery.used,
      count: got - delivery.used
    )
    defer { unsafe explicit_bzero(scratch + delivery.used, rest.count) }
    if state == .open { try unsafe input.append(rest) }
    if mayKeep(0) { settle(delivery) } else { finish(.noRoom) }
    return got
  }

  /// Reads on after a partial frame.
  private func receiveIntoInput() throws(SystemError) -> Int {
    // At most the longest frame and its NUL, so a peer cannot make us buffer more.
    let room = min(limits.frameSize + 1 - input.count, max(4096, input.count))
    // SAFETY: makeRoom returns space for `room` bytes.
    var sender: pid_t = 0
    let got = try unsafe la_receive(descriptor, input.makeRoom(room), room, &sender)
    guard got > 0 else { return got }
    noteSender(sender)
    input.didFill(got)
    if mayKeep(0) { deliverInput() } else { finish(.noRoom) }
    return got
  }

  private func noteSender(_ sender: pid_t) {
    if sender != peer.processID || sender <= 0 { hasStrangersInput = true }
  }

  private func deliverInput() {
    // SAFETY: `input` is not changed before `deliver` has returned.
    let delivery = unsafe deliver(input.bytes, scanned: scanned)
    input.removeFirst(delivery.used)
    if delivery.used > 0 { clearPartial() }
    settle(delivery)
  }

  /// How many bytes `deliver` used, and whether it stopped for lack of another NUL.
  private struct Delivery {
    var used = 0
    var sawEverything = false
  }

  /// Delivers and wipes the complete frames at the front, up to this turn's share.
  private func deliver(_ bytes: UnsafeMutableRawBufferPointer, scanned: Int = 0) -> Delivery {
    var delivery = Delivery()
    guard let base = bytes.baseAddress else { return delivery }
    isDelivering = true
    defer { isDelivering = false }
    var scanned = scanned
    var share = limits.framesPerTurn
    while share > 0, !isPaused, state == .open, let onFrame {
      // SAFETY: used <= scanned <= count, so here and below every range lies in `bytes`, which is
      // neither changed nor freed while `isDelivering`.
      guard let end = unsafe memchr(base + scanned, 0, bytes.count - scanned) else {
        delivery.sawEverything = true
        return delivery
      }
      let start = unsafe base + delivery.used
      let size = unsafe end - start
      guard size <= limits.frameSize else {
        finish(.frameTooLarge)
        return delivery
      }
      let frame = unsafe UnsafeRawBufferPointer(start: start, count: size)
      unsafe onFrame(self, frame.bindMemory(to: UInt8.self).span)
      unsafe explicit_bzero(start, size)
      delivery.used += size + 1
      scanned = delivery.used
      share -= 1
    }
    return delivery
  }

  /// Decides how to continue with the bytes that a delivery left in `input`.
  private func settle(_ delivery: Delivery) {
    guard state == .open, !input.isEmpty else { return input.removeAll() }
    scanned = delivery.sawEverything ? input.count : 0
    if !delivery.sawEverything {
      if !isPaused { continueNextTurn() }
    } else if input.count > limits.frameSize {
      finish(.frameTooLarge)
    } else if partialSince == nil {
      partialSince = SystemClock.bootNow()
      schedule(limits.frameTime, .frameTooSlow)
    }
  }

  func continueNextTurn() {
    guard !isContinuing else { return }
    isContinuing = true
    loop.onNextTurn { [self] in
      isContinuing = false
      if state == .open, !isPaused { deliverInput() }
    }
  }

  private func endInput() {
    guard input.isEmpty else { return finish(.frameIncomplete) }
    // A peer that only stopped sending still gets its answers; a hang-up is reported separately.
    state = .inputEnded
    updateInterest()
  }

  func clearPartial() {
    partialSince = nil
    if let deadline { loop.cancel(deadline) }
    deadline = nil
  }
}
