import LocalAuthSync

/// Whatever the daemon or its worker sends, reading it ends, and what can be read is written as the same bytes.
///
/// The first byte says which of the two it is: a request, or a reply. What every message begins with is put before the rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHub(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let kind = bytes.first else { return 0 }
  if kind % 2 == 0 {
    let message = begin("LocalAuth hub request 1") + bytes.dropFirst()
    guard let read = HubRequest.read(message) else { return 0 }
    precondition(read.request.bytes(number: read.number) == message, "a request has one encoding")
  } else {
    let message = begin("LocalAuth hub reply 1") + bytes.dropFirst()
    guard let read = HubReply.read(message) else { return 0 }
    precondition(read.reply.bytes(number: read.number) == message, "a reply has one encoding")
  }
  return 0
}

private func begin(_ purpose: String) -> [UInt8] { [UInt8(purpose.utf8.count)] + purpose.utf8 }
