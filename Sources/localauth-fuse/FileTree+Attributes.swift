import CLocalAuthFuse
import Glibc
import LocalAuthFiles
import LocalAuthKeychain

/// Extended attributes: the protection of a file or of new files in a directory, and no others, because what
/// programs put into them would stand on the disk as it is.
extension FileTree {
  /// The value of an attribute.
  func attribute(_ name: String, of number: UInt64) throws(Refusal) -> [UInt8] {
    guard name == DirectoryDefault.attribute else { throw Refusal(ENODATA) }
    guard let protection = try protection(of: number) else { throw Refusal(ENODATA) }
    return DirectoryDefault.value(of: protection)
  }

  /// The names of the attributes, each with a zero behind it.
  func attributes(of number: UInt64) throws(Refusal) -> [UInt8] {
    try protection(of: number) == nil ? [] : Array(DirectoryDefault.attribute.utf8) + [0]
  }

  /// Sets how new files in a directory are protected.
  ///
  /// A file takes only what it has: it gets another key by `authctl file reclass`.
  func setAttribute(_ name: String, _ value: [UInt8], of number: UInt64) throws(Refusal) {
    guard name == DirectoryDefault.attribute else { throw Refusal(EOPNOTSUPP) }
    guard let wanted = DirectoryDefault.protection(from: value) else { throw Refusal(EINVAL) }
    let node = try nodes.node(number)
    guard try isDirectory(node) else {
      guard node.isRegular, try node.protection() == wanted else { throw Refusal(EOPNOTSUPP) }
      return
    }
    try Refusal.translating { () throws(FileFailure) in
      try DirectoryDefault.set(wanted, of: node.path)
    }
  }

  /// Removes the default of a directory.
  func removeAttribute(_ name: String, of number: UInt64) throws(Refusal) {
    guard name == DirectoryDefault.attribute, try protection(of: number) != nil else {
      throw Refusal(ENODATA)
    }
    let node = try nodes.node(number)
    guard try isDirectory(node) else { throw Refusal(EOPNOTSUPP) }
    try Refusal.translating { () throws(FileFailure) in
      try DirectoryDefault.set(nil, of: node.path)
    }
  }

  private func protection(of number: UInt64) throws(Refusal) -> FileProtection? {
    let node = try nodes.node(number)
    guard try isDirectory(node) else { return node.isRegular ? try node.protection() : nil }
    return try Refusal.translating { () throws(FileFailure) in try DirectoryDefault.of(node.path) }
  }

  private func isDirectory(_ node: Node) throws(Refusal) -> Bool {
    try Node.rawStatus(of: node.descriptor).st_mode & S_IFMT == S_IFDIR
  }
}
