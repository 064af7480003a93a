import CLocalAuthLinux
import Glibc

/// A program to start and everything that it is given: it inherits nothing else.
public struct SpawnRequest: Sendable {
  /// What one of the program's descriptors is.
  public enum Descriptor: Sendable {
    /// `/dev/null`.
    case null
    /// A duplicate of a descriptor of this process.
    case duplicate(of: Int32)
  }

  /// The most descriptors a program can be given.
  public static let mostDescriptors = Int(LA_SPAWN_DESCRIPTORS_MAX)

  /// The absolute path of the program; no search happens.
  public var executable: String
  /// What follows the program's name; every user of the machine can read it, so never a secret.
  public var arguments: [String]
  /// The whole environment, as `NAME=value`.
  public var environment: [String]
  /// The program's current directory.
  public var workingDirectory = "/"
  /// The program's descriptors from 0 on; all others are closed.
  public var descriptors: [Descriptor]
  /// Whether the program is killed when the *thread* that starts it ends.
  ///
  /// Only a thread that lives as long as the process may start such a program.
  public var diesWithParent = false

  /// A program without arguments, environment or open files, until they are given.
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

  /// Starts the program; there is no pidfd for a detached one.
  func start(detached: Bool) throws(SystemError) -> (processID: Int32, pidfd: Int32) {
    guard executable.utf8.first == UInt8(ascii: "/"), descriptors.count <= Self.mostDescriptors,
      ![executable, workingDirectory].contains(where: Self.hasNUL),
      !arguments.contains(where: Self.hasNUL), !environment.contains(where: Self.hasNUL)
    else { throw SystemError("spawn", code: EINVAL, subject: executable) }
    let numbers = descriptors.map { descriptor -> Int32 in
      switch descriptor {
      case .null: -1
      case .duplicate(let source): source
      }
    }
    var result = unsafe la_spawned()
    let outcome = unsafe withCStrings([executable] + arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        // SAFETY: every pointer lives until the call returns, and the child has copied what it
        // needs by then: `la_spawn` returns after the child's execve.
        unsafe executable.withCString { path in
          unsafe workingDirectory.withCString { directory in
            unsafe numbers.withUnsafeBufferPointer { numbers in
              var none: Int32 = -1
              return unsafe withUnsafePointer(to: &none) { none in
                var request = unsafe la_spawn_request(
                  path: path,
                  arguments: arguments,
                  environment: environment,
                  directory: directory,
                  descriptors: numbers.baseAddress ?? none,
                  descriptor_count: Int32(numbers.count),
                  dies_with_parent: diesWithParent,
                  detached: detached
                )
                return unsafe la_spawn(&request, &result)
              }
            }
          }
        }
      }
    }
    guard outcome == 0 else {
      // SAFETY: the shim names the step with a string constant.
      let call = unsafe result.call.map { unsafe String(cString: $0) } ?? "spawn"
      throw SystemError(call, code: -outcome, subject: executable)
    }
    return unsafe (result.pid, result.pidfd)
  }

  /// A NUL would cut the string short where the kernel reads it.
  private static func hasNUL(_ text: String) -> Bool { text.utf8.contains(0) }
}

/// Lends `strings` as C's NULL-terminated array of C strings.
private func withCStrings<R>(
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
