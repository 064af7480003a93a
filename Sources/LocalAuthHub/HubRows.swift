import CLocalAuthPostgreSQL
import LocalAuthSync

/// The rows that a hub's function returned; freed with the value.
@safe
struct HubRows: ~Copyable {
  private let result: OpaquePointer
  let count: Int

  /// Takes over `result`.
  @unsafe
  init(_ result: OpaquePointer) {
    unsafe self.result = result
    count = Int(unsafe PQntuples(result))
  }

  deinit { unsafe PQclear(result) }

  /// The bytes of a value; nil for one that is missing.
  func bytes(_ row: Int, _ column: Int) throws(HubError) -> [UInt8]? {
    try check(row, column)
    // SAFETY: libpq checked the place, and the value lives as long as the result.
    guard unsafe PQgetisnull(result, Int32(row), Int32(column)) == 0,
      let value = unsafe PQgetvalue(result, Int32(row), Int32(column))
    else { return nil }
    let size = Int(unsafe PQgetlength(result, Int32(row), Int32(column)))
    return unsafe Array(UnsafeRawBufferPointer(start: value, count: size))
  }

  func text(_ row: Int, _ column: Int) throws(HubError) -> String? {
    guard let bytes = try bytes(row, column) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .unexpected("a text is not UTF-8")
    }
    return text
  }

  /// A number of any width.
  func number(_ row: Int, _ column: Int) throws(HubError) -> Int64 {
    guard let bytes = try bytes(row, column), [2, 4, 8].contains(bytes.count) else {
      throw .unexpected("a number is missing")
    }
    let start: Int64 = bytes[0] >= 128 ? -1 : 0
    return bytes.reduce(start) { $0 << 8 | Int64($1) }
  }

  func boolean(_ row: Int, _ column: Int) throws(HubError) -> Bool {
    guard let bytes = try bytes(row, column), bytes.count == 1 else {
      throw .unexpected("a truth value is missing")
    }
    return bytes[0] != 0
  }

  /// A place in a chain, whose number and digest are in two columns.
  func place(_ row: Int, _ first: Int, _ second: Int) throws(HubError) -> ChainPlace {
    let number = try number(row, first)
    let digest = try value(row, second, "a digest has 32 bytes") { SyncDigest($0) }
    return ChainPlace(number: UInt64(clamping: number), digest: digest)
  }

  func name(_ row: Int, _ column: Int) throws(HubError) -> RecordName {
    RecordName(try value(row, column, "a record's name has 32 bytes") { SyncDigest($0) })
  }

  func body(_ row: Int, _ column: Int) throws(HubError) -> [UInt8] {
    try value(row, column, "a body is missing or too long") {
      $0.count <= RecordFormat.bodyMax ? $0 : nil
    }
  }

  func role(_ row: Int, _ column: Int) throws(HubError) -> HubRole {
    guard let role = try text(row, column).flatMap({ HubRole($0) }) else {
      throw .unexpected("a role has another name")
    }
    return role
  }

  /// What the bytes of a value stand for.
  func value<Value>(
    _ row: Int,
    _ column: Int,
    _ otherwise: StaticString,
    _ read: ([UInt8]) -> Value?
  ) throws(HubError) -> Value {
    guard let bytes = try bytes(row, column), let value = read(bytes) else {
      throw .unexpected("\(otherwise)")
    }
    return value
  }

  /// What the bytes of a column stand for, without the rows in which they stand for nothing.
  ///
  /// A device may have left any bytes: what is no value is nobody's word, and keeps nobody from the others'.
  func readable<Value>(
    _ column: Int,
    _ read: ([UInt8]) -> Value?
  ) throws(HubError) -> [Value] {
    var values: [Value] = []
    for row in 0..<count {
      if let value = try bytes(row, column).flatMap(read) { values.append(value) }
    }
    return values
  }

  private func check(_ row: Int, _ column: Int) throws(HubError) {
    let columns = Int(unsafe PQnfields(result))
    guard (0..<count).contains(row), (0..<columns).contains(column) else {
      throw .unexpected("an answer has too few rows or columns")
    }
  }
}
