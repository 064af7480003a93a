import Glibc
import LocalAuthSecret
import LocalAuthSync
import LocalAuthUnix

/// The connection to the daemon: requests come in, replies go out.
///
/// It reads exactly what a frame says and no byte more, because a password may follow.
struct DaemonChannel: ~Copyable {
  /// Why the daemon is not listened to any more.
  enum Failure: Error {
    /// It has closed the connection.
    case ended
    /// It sent what is no request, or stopped within one.
    case malformed
  }

  /// How long a frame may take once it has begun.
  private static let frameTime = Duration.seconds(30)

  private let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// The descriptor, to wait for requests on.
  var descriptor: Int32 { socket.rawValue }

  /// The next request, with the password that follows one to connect.
  ///
  /// - Throws: ``Failure``.
  func receive() throws(Failure) -> HubCall {
    let size = try size(most: HubFrame.messageMax)
    let deadline = Deadline.after(Self.frameTime)
    var bytes = [UInt8](repeating: 0, count: size)
    try read(into: &bytes, until: deadline)
    guard let read = HubRequest.read(bytes) else { throw .malformed }
    var password = Secret(capacity: 0)
    if case .connect = read.request { password = try secret() }
    return HubCall(number: read.number, request: read.request, password: password)
  }

  /// Sends a reply.
  ///
  /// - Throws: ``Failure/ended``.
  func send(_ reply: HubReply, number: UInt32) throws(Failure) {
    try send(reply, number: number, orElse: .failed(Self.noReply))
  }

  /// Says what nobody asked for.
  ///
  /// - Throws: ``Failure/ended``.
  func send(_ notice: HubNotice) throws(Failure) {
    try send(.notice(notice), number: 0, orElse: .notice(.failed(Self.noReply)))
  }

  private static let noReply = HubError.unexpected("the hub's answer keeps none of the rules")

  private func send(_ reply: HubReply, number: UInt32, orElse other: HubReply) throws(Failure) {
    var message = reply.bytes(number: number)
    // A hub can answer what keeps the rules of no reply: too much, or one zone twice.
    if HubReply.read(message) == nil { message = other.bytes(number: number) }
    do throws(SystemError) {
      // SAFETY: the bytes are lent for the call.
      try unsafe (HubFrame.header(message.count) + message).withUnsafeBufferPointer {
        (bytes) throws(SystemError) in try unsafe socket.writeAll(UnsafeRawBufferPointer(bytes))
      }
    } catch {
      throw .ended
    }
  }

  private func secret() throws(Failure) -> Secret {
    let size = try size(most: HubFrame.passwordMax)
    var secret = Secret(capacity: size)
    let deadline = Deadline.after(Self.frameTime)
    // SAFETY: the secret has room for `size` bytes, which are read into it.
    try unsafe secret.withUnsafeMutableBytes { (bytes, count) throws(Failure) -> Void in
      try unsafe fill(bytes, until: deadline)
      count = size
    }
    return secret
  }

  private func size(most: Int) throws(Failure) -> Int {
    var header = [UInt8](repeating: 0, count: HubFrame.headerSize)
    try read(into: &header, until: .after(Self.frameTime))
    guard let size = HubFrame.size(header, most: most) else { throw .malformed }
    return size
  }

  private func read(into bytes: inout [UInt8], until deadline: Deadline) throws(Failure) {
    // SAFETY: the array's storage is lent for the call.
    try unsafe bytes.withUnsafeMutableBufferPointer { (bytes) throws(Failure) in
      try unsafe fill(UnsafeMutableRawBufferPointer(bytes), until: deadline)
    }
  }

  @unsafe
  private func fill(
    _ bytes: UnsafeMutableRawBufferPointer,
    until deadline: Deadline
  ) throws(Failure) {
    var done = 0
    while done < bytes.count {
      guard
        let ready = try? DescriptorWait.readable(among: [socket.rawValue], until: deadline),
        !ready.isEmpty
      else { throw .malformed }
      // SAFETY: `done` lies inside the buffer, which the caller keeps valid.
      let count = unsafe Glibc.read(
        socket.rawValue,
        bytes.baseAddress.map { unsafe $0 + done },
        bytes.count - done
      )
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw .ended }
      done += count
    }
  }
}

/// A request, its number, and the password that came with it.
struct HubCall: ~Copyable {
  let number: UInt32
  let request: HubRequest
  let password: Secret
}
