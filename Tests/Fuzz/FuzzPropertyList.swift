import LocalAuthPropertyList

/// Whatever the bytes are, reading them ends; what is read is written in one way, and is read the same again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPropertyList(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let value = try? PropertyList(binary: bytes) else { return 0 }
  guard let written = try? value.binary() else { fatalError("what was read cannot be written") }
  guard let again = try? PropertyList(binary: written) else {
    fatalError("what was written cannot be read")
  }
  precondition(again == value, "reads differently after being written")
  guard let twice = try? again.binary() else { fatalError("it cannot be written twice") }
  precondition(twice == written, "two spellings of one value")
  return 0
}
