import CLocalAuthLinux
import Glibc
import LocalAuthFileFormat
import LocalAuthKeychain
import LocalAuthSecret

/// Whatever a protected file is made into, opening it ends, and what is read of it is what was written.
///
/// The first byte says whether the rest is a whole file, or changes one: three bytes each, a place and what is there.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFile(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let kind = bytes.first else { return 0 }
  let isWhole = kind & 1 == 0
  let file = isWhole ? Array(bytes.dropFirst()) : changed(bytes.dropFirst())
  for access in [FileAccess.read, .write] {
    let descriptor = unsafe la_memory_file("fuzz")
    precondition(unsafe write(descriptor, file, file.count) == file.count, "memory is full")
    guard
      let opened = try? EncryptedFile(
        opening: descriptor,
        for: access,
        key: { _ in Secret(copying: key) }
      )
    else { continue }
    check(opened)
  }
  return 0
}

private let key = [UInt8](repeating: 3, count: FileFormat.keySize)
private let content = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

/// The file that the others are made from: of three chunks.
private let sample: [UInt8] = {
  let descriptor = unsafe la_memory_file("sample")
  let copy = dup(descriptor)
  do throws(ProtectedFileError) {
    let file = try EncryptedFile(
      creatingOn: descriptor,
      .complete,
      key: Secret(copying: key),
      wrappedKey: [1],
      identifier: [UInt8](repeating: 5, count: FileFormat.identifierSize)
    )
    try unsafe Secret(copying: content).withUnsafeBytes { (bytes) throws(ProtectedFileError) in
      try unsafe file.write(bytes, at: 0)
    }
    try file.close()
  } catch { fatalError("no file can be made: \(error)") }
  var bytes = [UInt8](repeating: 0, count: 100_000)
  let count = unsafe pread(copy, &bytes, bytes.count, 0)
  close(copy)
  return Array(bytes.prefix(count))
}()

private func changed(_ changes: ArraySlice<UInt8>) -> [UInt8] {
  var file = sample
  var rest = changes
  while rest.count >= 3 {
    let part = Array(rest.prefix(3))
    rest = rest.dropFirst(3)
    let place = (Int(part[0]) << 8 | Int(part[1])) % file.count
    if part[2] == 0 { file = Array(file.prefix(max(1, place))) } else { file[place] ^= part[2] }
  }
  return file
}

private func check(_ file: EncryptedFile) {
  precondition(file.length <= content.count, "there is more than was written")
  var room = Secret(capacity: content.count)
  let read: Void? = try? unsafe room.withUnsafeMutableBytes { room, used in
    used = try unsafe file.read(room, at: 0)
  }
  guard read != nil else { return }
  // SAFETY: the bytes are read within the call.
  let isSame = unsafe room.withUnsafeBytes { unsafe content.starts(with: $0) }
  precondition(isSame, "something else is read")
  precondition(!file.wasSealed || file.length == content.count, "a file that was cut is sealed")
}
