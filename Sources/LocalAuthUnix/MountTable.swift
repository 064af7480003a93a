package import Glibc

/// The file systems that this process sees, as the kernel lists them.
package struct MountTable: Sendable {
  /// A file system of protected files.
  package struct Mount: Hashable, Sendable {
    /// Where it is.
    package let mountpoint: String
    /// The directory whose files it shows.
    package let directory: String
    /// The number that the files in it have as their device.
    package let device: dev_t

    package init(mountpoint: String, directory: String, device: dev_t) {
      self.mountpoint = mountpoint
      self.directory = directory
      self.device = device
    }

    /// Where the file lies of which the mount shows the content at `path`; nil if the mount is seen at another place.
    package func source(of path: String) -> String? {
      guard let real = realPath(path), real.hasPrefix(mountpoint + "/") else { return nil }
      return directory + real.dropFirst(mountpoint.count)
    }

    /// Where to ask about the file at `path`, of which the mount shows the content alone.
    package func sentence(about path: String) -> String {
      "\(path) is the content that a mount shows: the file itself is in \(directory)."
    }
  }

  /// Those that `localauth-fuse` serves, the newest last.
  package let mounts: [Mount]

  /// Parses the text of `/proc/self/mountinfo`.
  package init(_ text: String) {
    mounts = text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 4, let dash = words.firstIndex(of: "-"), dash + 2 < words.count,
        words[dash + 1] == "fuse.localauth", let device = Self.device(words[2])
      else { return nil }
      return Mount(
        mountpoint: Self.unescaped(words[4]),
        directory: Self.unescaped(words[dash + 2]),
        device: device
      )
    }
  }

  /// Those of this process, now.
  ///
  /// - Throws: `SystemError`.
  package static func current() throws(SystemError) -> MountTable {
    var text: [UInt8] = []
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else {
      throw SystemError("open", code: errno, subject: "/proc/self/mountinfo")
    }
    let file = FileDescriptor(owning: opened)
    while true {
      let part = try file.readAvailable(limit: 1 << 16)
      guard !part.isEmpty else { break }
      text += part
    }
    return MountTable(String(decoding: text, as: UTF8.self))
  }

  /// The one at `path`.
  package func mount(at path: String) -> Mount? { mounts.last { $0.mountpoint == path } }

  /// The one that shows the file at `path`; nil for a file that lies there itself.
  package func mount(showing path: String) -> Mount? {
    var status = stat()
    // SAFETY: the string and the structure are valid for the call.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return mount(of: status.st_dev)
  }

  /// The one that the open file `descriptor` is in.
  package func mount(holding descriptor: Int32) -> Mount? {
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return mount(of: status.st_dev)
  }

  /// The one whose files have this number as their device.
  package func mount(of device: dev_t) -> Mount? { mounts.last { $0.device == device } }

  /// The number that the kernel writes as two, put together as makedev(3) does.
  private static func device(_ word: String) -> dev_t? {
    let numbers = word.split(separator: ":").map { dev_t($0) }
    guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return nil }
    let low = (major & 0xFFF) << 8 | minor & 0xFF
    return low | (major & ~0xFFF) << 32 | (minor & ~0xFF) << 12
  }

  /// The kernel writes spaces and backslashes as octal numbers.
  private static func unescaped(_ word: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), digits.utf8.count == 3, let value = UInt8(digits, radix: 8) {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
