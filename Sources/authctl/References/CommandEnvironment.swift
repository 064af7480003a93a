import Glibc
import LocalAuthCore
import LocalAuthSecret

/// The environment that a command gets: this process's own and that of a file, with secrets in place
/// of references.
///
/// A variable's value is a reference, or a template with references in braces, or stands for itself.
@safe
struct CommandEnvironment {
  /// A variable whose text is composed here.
  @safe
  private struct Composed {
    let name: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer
    let template: SecretTemplate
  }

  @safe
  private enum Variable {
    /// One of this process, as it is.
    case inherited(UnsafeMutablePointer<CChar>)
    case composed(Composed)
  }

  private var variables: [Variable] = []

  /// Reads the environment of this process and the file, if there is one, and adds the references in
  /// both to `references`.
  ///
  /// A variable of the file replaces one of the process. Nothing may change the environment or the
  /// file's bytes as long as the value is used.
  @unsafe
  init(
    file: UnsafeRawBufferPointer,
    _ path: String,
    _ references: inout ReferenceList
  ) throws(Failure) {
    let given = unsafe try EnvironmentFile.variables(in: file, of: path)
    var names: Set<[UInt8]> = []
    for variable in given { unsafe names.insert(Array(file[variable.name])) }
    try unsafe inherit(except: names, &references)
    for variable in given {
      let value = unsafe UnsafeRawBufferPointer(rebasing: file[variable.value])
      let name = unsafe UnsafeRawBufferPointer(rebasing: file[variable.name])
      let template = try unsafe Self.template(value, of: name, &references)
      unsafe variables.append(.composed(Composed(name: name, value: value, template: template)))
    }
  }

  /// Takes over the variables of this process but for those with these names.
  @unsafe
  private mutating func inherit(
    except names: Set<[UInt8]>,
    _ references: inout ReferenceList
  ) throws(Failure) {
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      unsafe next += 1
      // SAFETY: entries of the environment are C strings, which nothing changes meanwhile.
      let text = unsafe UnsafeRawBufferPointer(start: entry, count: strlen(entry))
      guard let equals = unsafe text.firstIndex(of: UInt8(ascii: "=")) else {
        unsafe variables.append(.inherited(entry))
        continue
      }
      let name = unsafe UnsafeRawBufferPointer(rebasing: text[..<equals])
      guard unsafe !names.contains(Array(name)) else { continue }
      let value = unsafe UnsafeRawBufferPointer(rebasing: text[(equals + 1)...])
      let template = try unsafe Self.template(value, of: name, &references)
      unsafe variables.append(
        template.hasSecrets
          ? .composed(Composed(name: name, value: value, template: template)) : .inherited(entry)
      )
    }
  }

  @unsafe
  private static func template(
    _ value: UnsafeRawBufferPointer,
    of name: UnsafeRawBufferPointer,
    _ references: inout ReferenceList
  ) throws(Failure) -> SecretTemplate {
    let place = unsafe "in \(String(decoding: name, as: UTF8.self))"
    guard unsafe SecretTemplate.hasScheme(value, at: 0) else {
      return try unsafe SecretTemplate(value, &references) { _ in place }
    }
    return SecretTemplate(only: try unsafe references.number(of: value, place))
  }

  /// Composes the environment with `secrets`, the secrets of the references by their numbers, in
  /// secret memory, and lends it to `body` in the form that execve takes.
  ///
  /// The secrets must not have a zero byte.
  @unsafe
  func withPointers<Result>(
    _ secrets: [HeldSecret],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var block = Secret(capacity: size(secrets))
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe []
    // SAFETY: the block has room for every text, and its bytes never move.
    unsafe block.withUnsafeMutableBytes { room, used in
      for variable in variables {
        switch variable {
        case .inherited(let entry): unsafe pointers.append(entry)
        case .composed(let composed):
          let start = unsafe room.baseAddress.map { unsafe $0 + used }
          unsafe Self.compose(composed, secrets, room, &used)
          unsafe pointers.append(start?.assumingMemoryBound(to: CChar.self))
        }
      }
    }
    unsafe pointers.append(nil)
    // SAFETY: the block and the array live for the call.
    return unsafe block.withUnsafeBytes { _ in unsafe body(&pointers) }
  }

  /// The bytes of all texts that are composed, each with its end.
  private func size(_ secrets: [HeldSecret]) -> Int {
    var size = 0
    for variable in variables {
      guard case .composed(let composed) = variable else { continue }
      size += unsafe composed.name.count + 2
      for piece in composed.template.pieces {
        switch piece {
        case .text(let range): size += range.count
        case .secret(let number): size += secrets[number].secret.count
        }
      }
    }
    return size
  }

  @unsafe
  private static func compose(
    _ composed: Composed,
    _ secrets: [HeldSecret],
    _ room: UnsafeMutableRawBufferPointer,
    _ used: inout Int
  ) {
    unsafe copy(composed.name, room, &used)
    unsafe room[used] = UInt8(ascii: "=")
    used += 1
    for piece in composed.template.pieces {
      switch piece {
      case .text(let range):
        unsafe copy(UnsafeRawBufferPointer(rebasing: composed.value[range]), room, &used)
      case .secret(let number):
        unsafe secrets[number].secret.withUnsafeBytes { unsafe copy($0, room, &used) }
      }
    }
    unsafe room[used] = 0
    used += 1
  }

  @unsafe
  private static func copy(
    _ bytes: UnsafeRawBufferPointer,
    _ room: UnsafeMutableRawBufferPointer,
    _ used: inout Int
  ) {
    let place = unsafe UnsafeMutableRawBufferPointer(rebasing: room[used..<(used + bytes.count)])
    unsafe place.copyMemory(from: bytes)
    used += bytes.count
  }
}
