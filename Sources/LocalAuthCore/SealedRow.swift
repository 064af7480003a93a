/// A row that its owner sealed: the store sees neither what it is about nor what it says.
public struct SealedRow: Hashable, Sendable {
  /// The bytes of a name.
  public static let nameSize = 32

  /// A keyed hash of what the row is about.
  public let name: [UInt8]
  /// The sealed row; nil in a change that removes it.
  public let sealed: [UInt8]?

  /// The row of this name; `name` has 32 bytes.
  public init(name: [UInt8], sealed: [UInt8]?) {
    self.name = name
    self.sealed = sealed
  }
}
