import CLocalAuthLinux
import Glibc

/// The program that this process runs.
public enum ThisProgram {
  /// The directory of the program's file, with symbolic links resolved; nil if it is unknown.
  public static var directory: String? {
    guard let path = realPath("/proc/self/exe") else { return nil }
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  /// The number of online processors.
  public static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Has up to `size` bytes of memory kept that was let go, instead of giving them back to the kernel at once.
  public static func keepMemory(_ size: Int32) { la_keep_memory(size) }
}

extension ThisProgram {
  /// The words of this process's command line without its own name, byte for byte.
  ///
  /// Strings would repair words that are not UTF-8, and so name other files.
  public static var words: [[UInt8]] {
    var words: [[UInt8]] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      // SAFETY: `argc` says how many words there are; each is a C string.
      guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
      words.append(unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
    }
    return words
  }

  /// Those of ``words`` before the first `--`.
  public static var wordsBeforeDashes: [[UInt8]] { Array(words.prefix { $0 != dashes }) }

  /// Those of ``words`` behind the first `--`.
  public static var wordsBehindDashes: [[UInt8]] {
    Array(words.drop { $0 != dashes }.dropFirst())
  }

  private static var dashes: [UInt8] { Array("--".utf8) }
}
