import CLocalAuthLinux
import Glibc

/// A program to start, with everything that it is given; it inherits nothing else.
public struct SpawnRequest: Sendable {
  /// The source of one of the program's descriptors.
  public enum Descriptor: Sendable {
    /// `/dev/null`.
    case null
    /// A duplicate of a descriptor of this process.
    case duplicate(of: Int32)

    var number: Int32 {
      switch self {
      case .null: -1
      case .duplicate(let source): source
      }
    }
  }

  /// The most descriptors a program can be given.
  public static let mostDescriptors = Int(LA_SPAWN_DESCRIPTORS_MAX)

  /// The absolute path of the program; PATH is not searched.
  public var executable: String
  /// The arguments after the program's name; every user can read them, so they must hold no secret.
  public var arguments: [String]
  /// The whole environment, as `NAME=value`.
  public var environment: [String]
  /// The program's current directory.
  public var workingDirectory = "/"
  /// The program's descriptors from 0 on; all others are closed.
  public var descriptors: [Descriptor]
  /// Whether the program is killed when the *thread* that started it ends.
  ///
  /// Start such a program only from a thread that lives as long as the process.
  public var diesWithParent = false

  /// Creates a request; by default without arguments, environment and open files.
  public init(
    executable: String,
    arguments: [String] = [],
    environment: [String] = [],
    descriptors: [Descriptor] = [.null, .null, .null]
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.descriptors = descriptors
  }

  /// Starts the program; a detached one has no pidfd.
  func start(detached: Bool) throws(SystemError) -> (processID: Int32, pidfd: Int32) {
    guard isUsable else { throw SystemError("spawn", code: EINVAL, subject: executable) }
    var result = unsafe la_spawned()
    // SAFETY: every pointer lives until the call returns. The child does not need them longer,
    // because `la_spawn` returns after the child's execve.
    let outcome = unsafe withCStrings([executable, workingDirectory]) { paths in
      unsafe withCStrings([executable] + arguments) { arguments in
        unsafe withCStrings(environment) { environment in
          unsafe withNumbers { descriptors in
            guard let path = unsafe paths[0], let directory = unsafe paths[1] else {
              return -ENOMEM
            }
            var request = unsafe la_spawn_request(
              path: path,
              arguments: arguments,
              environment: environment,
              directory: directory,
              descriptors: descriptors,
              descriptor_count: Int32(self.descriptors.count),
              dies_with_parent: diesWithParent,
              detached: detached
            )
            return unsafe la_spawn(&request, &result)
          }
        }
      }
    }
    if outcome == 0 { return unsafe (result.pid, result.pidfd) }
    // SAFETY: the shim names the step with a string constant.
    let call = unsafe result.call.map { unsafe String(cString: $0) } ?? "spawn"
    throw SystemError(call, code: -outcome, subject: executable)
  }

  private var isUsable: Bool {
    executable.utf8.first == UInt8(ascii: "/") && descriptors.count <= Self.mostDescriptors
      && !(arguments + environment + [executable, workingDirectory]).contains(where: Self.hasNUL)
  }

  /// Lends the descriptor numbers to `body` in the shim's form.
  private func withNumbers(_ body: (UnsafePointer<Int32>) -> Int32) -> Int32 {
    // One extra element, so that there is a base address even for no descriptors.
    let numbers = descriptors.map(\.number) + [-1]
    return unsafe numbers.withUnsafeBufferPointer { numbers in
      unsafe numbers.baseAddress.map { unsafe body($0) } ?? -EINVAL
    }
  }

  /// Whether `text` contains a NUL, at which the kernel would cut it short.
  private static func hasNUL(_ text: String) -> Bool { text.utf8.contains(0) }
}

/// Lends `strings` as a NULL-terminated array of C strings.
package func withCStrings<R>(
  _ strings: [String],
  _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
  // SAFETY: the copies are freed after `body`, which gets a NULL-terminated array of them.
  var copies = unsafe strings.map { unsafe strdup($0) }
  unsafe copies.append(nil)
  defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
  return unsafe copies.withUnsafeBufferPointer { pointers in
    guard let start = pointers.baseAddress else { preconditionFailure("an array of one or more") }
    return unsafe body(start)
  }
}
