import Glibc

extension FileDescriptor {
  /// Calls `body` with each name in this directory, without `.` and `..` and in no order, until it returns
  /// false; gives the descriptor up.
  ///
  /// - Throws: the error of `fdopendir`.
  package consuming func forEachName(_ body: (String) -> Bool) throws(SystemError) {
    let number = release()
    // SAFETY: the stream owns the descriptor and is closed below.
    guard let stream = unsafe fdopendir(number) else {
      let code = errno
      close(number)
      throw SystemError("fdopendir", code: code)
    }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let name = unsafe Self.name(of: entry)
      guard name == "." || name == ".." || body(name) else { return }
    }
  }

  @unsafe
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    // SAFETY: d_name is a NUL-terminated array inside the entry, which the caller keeps alive.
    unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
  }
}
