import Glibc

/// The files of this repository, read by tests that compare them with the code.
enum RepositoryFiles {
  /// The folder of `path` below the root.
  static func path(_ path: String) -> String {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/" + path
  }

  /// The bytes of the file at `path` below the root; empty when there is none.
  static func bytes(_ path: String) -> [UInt8] {
    // SAFETY: the stream is used only here and closed before the function returns.
    guard let file = unsafe fopen(self.path(path), "r") else { return [] }
    defer { unsafe fclose(file) }
    return unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
      count = unsafe fread(buffer.baseAddress, 1, buffer.count, file)
    }
  }

  /// The names in the folder at `path` below the root, in order.
  static func names(in path: String) -> [String] {
    // SAFETY: the folder is used only here; an entry is read before the next one is asked for.
    guard let folder = unsafe opendir(self.path(path)) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
