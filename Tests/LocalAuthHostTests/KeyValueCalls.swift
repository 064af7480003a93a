import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync

/// A rig whose engine has key-value stores.
protocol KeyValueCalls: AnyObject {
  var engine: Engine { get }
  var caller: Caller { get }
  func turn(until isDone: () -> Bool)
}

extension KeychainRig: KeyValueCalls {}
extension StateRig: KeyValueCalls {}

/// Texts as binary property lists, without the module that writes them.
enum KeyValueText {
  /// The list of an ASCII text of at most 14 characters.
  static func list(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return Array("bplist00".utf8) + [0x50 | UInt8(bytes.count)] + bytes + [8]
      + [0, 0, 0, 0, 0, 0, 1, 1] + number(1) + number(0) + number(UInt8(9 + bytes.count))
  }

  /// The list of data whose whole list has `size` bytes, which are more than 2^16.
  static func data(size: Int) -> [UInt8] {
    // Before the content 14 bytes, behind it one offset of four bytes and the trailer.
    let count = size - 14 - 4 - 32
    let head = [0x4F, 0x12] + bigEndian(count, 4)
    return Array("bplist00".utf8) + head + [UInt8](repeating: 7, count: count) + [0, 0, 0, 8]
      + [0, 0, 0, 0, 0, 0, 4, 1] + number(1) + number(0) + bigEndian(14 + count, 8)
  }

  private static func number(_ byte: UInt8) -> [UInt8] { bigEndian(Int(byte), 8) }

  private static func bigEndian(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

extension KeyValueCalls {
  func request(
    _ store: String? = nil,
    on device: String = "sim",
    groups: [String] = ["local", "more"],
    as writer: UInt64? = nil
  ) -> GroupRequest {
    var request = GroupRequest(of: device, store, groups: AccessGroups(groups))
    request.allowsSimulated = true
    request.writer = writer
    return request
  }

  /// Writes and waits until it is durable.
  @discardableResult
  func write(
    _ changes: [KeyValueChange],
    removingAll removesAll: Bool = false,
    _ request: GroupRequest? = nil,
    connection: UInt64 = 5
  ) throws -> KeyValueWritten {
    var ended: Result<KeyValueWritten, EngineError>?
    engine.writeKeyValues(
      changes,
      removingAll: removesAll,
      request ?? self.request(),
      on: connection,
      caller: caller
    ) { ended = $0 }
    turn { ended != nil }
    guard let ended else { throw EngineError.internalError("no end") }
    return try ended.get()
  }

  @discardableResult
  func set(
    _ key: String,
    _ text: String,
    _ request: GroupRequest? = nil
  ) throws -> KeyValueWritten {
    try write([KeyValueChange(key, KeyValueText.list(text))], request)
  }

  func values(_ request: GroupRequest? = nil) throws -> [String: [UInt8]] {
    let read = try engine.keyValues(request ?? self.request(), caller: caller)
    return Dictionary(uniqueKeysWithValues: read.values.map { ($0.key.text, $0.value) })
  }

  func revision(_ request: GroupRequest? = nil) throws -> UInt64 {
    try engine.keyValues(request ?? self.request(), caller: caller).revision
  }

  /// What a call is refused with.
  func objection(_ body: () throws -> Void) -> EngineError? {
    do {
      try body()
      return nil
    } catch { return error as? EngineError }
  }
}

extension EngineError {
  var code: OutcomeCode? { if case .refused(let outcome) = self { outcome.code } else { nil } }
}
