import Glibc
import LocalAuthFileFormat
import LocalAuthKeychain
import LocalAuthSecret

// A protected file without its device, for the comparison with chunks.c: the same content, at the same
// places, and the same checksum.
//
// usage: localauth-chunks write FILE MIB       makes the file; nanoseconds for 16 KiB
//        localauth-chunks read FILE MIB        reads it from end to end
//        localauth-chunks random FILE COUNT    reads 4 KiB at random places; nanoseconds for one

/// SplitMix64, as in chunks.c.
struct Course {
  private var state: UInt64 = 42

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// What a benchmark cannot go on without.
func fail(_ message: String) -> Never {
  print("localauth-chunks: \(message)")
  exit(1)
}

let chunkSize = 16_384
let pageSize = 4096
let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]), count > 0 else {
  fail("usage: localauth-chunks write|read|random FILE COUNT")
}
let path = arguments[2]

func key() -> Secret { Secret(copying: (0..<32).map { UInt8($0) }) }

func opened(_ flags: Int32, for access: FileAccess) throws -> EncryptedFile {
  // SAFETY: the string is a C string for the call.
  let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
  if access == .read {
    return try EncryptedFile(opening: descriptor, for: .read) { _ throws(ProtectedFileError) in
      key()
    }
  }
  return try EncryptedFile(
    creatingOn: descriptor,
    .complete,
    key: key(),
    wrappedKey: [],
    identifier: [UInt8](repeating: 7, count: FileFormat.identifierSize)
  )
}

/// Runs `body` and prints the nanoseconds of one of its `steps` and a checksum.
@unsafe
func measure(
  _ steps: Int,
  _ body: (_ buffer: UnsafeMutableRawBufferPointer) throws -> UInt64
) rethrows {
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
  for index in 0..<chunkSize { unsafe buffer[index] = UInt8(truncatingIfNeeded: index &* 7) }
  let clock = ContinuousClock()
  let start = clock.now
  let checksum = try unsafe body(buffer)
  let took = (clock.now - start) / .nanoseconds(1)
  print(took / Double(steps), String(checksum, radix: 16))
}

do {
  switch arguments[1] {
  case "write":
    let chunks = count * (1 << 20) / chunkSize
    try unsafe measure(chunks) { buffer in
      let file = try opened(O_RDWR | O_CREAT | O_TRUNC, for: .write)
      for index in 0..<chunks {
        unsafe buffer.storeBytes(of: UInt64(index), as: UInt64.self)
        try unsafe file.write(UnsafeRawBufferPointer(buffer), at: index * chunkSize)
      }
      try file.close()
      return UInt64(chunks)
    }
  case "read":
    let chunks = count * (1 << 20) / chunkSize
    try unsafe measure(chunks) { buffer in
      let file = try opened(O_RDONLY, for: .read)
      var sum: UInt64 = 0
      for index in 0..<chunks {
        guard try unsafe file.read(buffer, at: index * chunkSize) == chunkSize else {
          fail("short")
        }
        sum = unsafe sum &* 31 &+ buffer.load(as: UInt64.self)
      }
      return sum
    }
  case "random":
    let file = try opened(O_RDONLY, for: .read)
    let pages = file.length / pageSize
    try unsafe measure(count) { buffer in
      let page = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<pageSize])
      var course = Course()
      var sum: UInt64 = 0
      for _ in 0..<count {
        let place = Int(course.next() % UInt64(pages)) * pageSize
        guard try unsafe file.read(page, at: place) == pageSize else { fail("short") }
        sum = unsafe sum &* 31 &+ page.load(as: UInt64.self)
      }
      return sum
    }
  default: fail("no measurement '\(arguments[1])'")
  }
} catch {
  fail("\(error)")
}
