import CLocalAuthLinux
import LocalAuthUnix

/// Processes that are not ours to reap.
enum Processes {
  /// Waits until a process has ended; false when it goes on.
  static func waitForEnd(of processID: Int32) throws -> Bool {
    let number = la_process_open(processID)
    guard number >= 0 else { return true }
    let process = FileDescriptor(owning: number)
    return try Poll.wait(for: process.rawValue, until: .after(.seconds(30)))
  }

  /// The process that a process is a child of, or nil when it has ended.
  static func parent(of processID: Int32) -> Int32? {
    let status = try? Files.text("/proc/\(processID)/status")
    let line = status?.split(separator: "\n").first { $0.hasPrefix("PPid:") }
    return line.flatMap { Int32($0.filter(\.isNumber)) }
  }

  /// The processes that a process is the parent of.
  static func children(of processID: Int32) -> [Int32] {
    let all = ((try? Files.names(in: "/proc")) ?? []).compactMap { Int32($0) }
    return all.filter { parent(of: $0) == processID }
  }

  /// The localauthd processes that were started with this argument.
  static func withArgument(_ argument: String) throws -> [Int32] {
    try Files.names(in: "/proc").compactMap { Int32($0) }.filter { processID in
      guard let bytes = try? Files.read("/proc/\(processID)/cmdline") else { return false }
      let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return words.first?.hasSuffix("/localauthd") == true && words.contains(argument)
    }
  }
}
