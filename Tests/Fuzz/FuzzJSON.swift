import LocalAuthJSON

/// Whatever the bytes are, the reader returns; what it accepts survives writing and reading again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let text = unsafe UnsafeBufferPointer(start: start, count: count)
  checkRoundTrip(unsafe text.span)
  checkSecret(unsafe text.span)
  return 0
}

private func checkRoundTrip(_ text: Span<UInt8>) {
  guard let value = try? JSONValue(parsing: text) else { return }
  precondition(isSkipped(text), "the tree accepts what skipping refuses")
  var written: [UInt8] = []
  guard (try? value.write(into: &written)) != nil else { fatalError("cannot be written") }
  guard let again = try? JSONValue(parsing: written.span) else {
    fatalError("cannot be read again")
  }
  precondition(value == again, "reads differently after being written")
}

private func isSkipped(_ text: Span<UInt8>) -> Bool {
  do throws(JSONError) {
    try JSONReader.read(text) { (reader) throws(JSONError) in
      try reader.skipValue()
      try reader.end()
    }
    return true
  } catch {
    precondition(error.offset <= text.count, "an error beyond the end")
    return false
  }
}

/// A string read as a secret is the same text, and written as a secret it is the same again.
private func checkSecret(_ text: Span<UInt8>) {
  var secret: [UInt8] = []
  let value = try? JSONReader.read(text) { (reader) throws(JSONError) -> JSONValue in
    try reader.secretString {
      secret.append($0)
      return true
    }
    return try JSONValue(parsing: text)
  }
  guard let value else { return }
  precondition(value == JSONValue(.string(String(decoding: secret, as: UTF8.self))))
  // Every byte becomes at most six.
  var memory = [UInt8](repeating: 0, count: secret.count * 6 + 2)
  let count = unsafe memory.withUnsafeMutableBytes { memory in
    try? unsafe JSONWriter.write(into: memory) { writer in
      unsafe secret.withUnsafeBytes { unsafe writer.secretString(bytes: $0) }
    }
  }
  guard let count else { fatalError("a secret cannot be written") }
  memory.removeLast(memory.count - count)
  precondition((try? JSONValue(parsing: memory.span)) == value, "a secret is written differently")
}
