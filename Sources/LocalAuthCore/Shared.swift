/// A value that never changes, held by all copies of what contains it.
///
/// A search copies its states millions of times; copying what they all have in common would count
/// the references in it each time. It equals and hashes as its value does.
@frozen public struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
  @usableFromInline final class Box: Sendable {
    @usableFromInline let value: Value

    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline let box: Box

  /// Shares `value`.
  @inlinable public init(_ value: Value) { box = Box(value) }

  /// The value; setting it leaves the other copies as they are.
  @inlinable public var value: Value {
    get { box.value }
    set { self = Shared(newValue) }
  }

  /// Whether the values are equal.
  @inlinable public static func == (one: Shared, other: Shared) -> Bool {
    one.box === other.box || one.box.value == other.box.value
  }

  /// Hashes the value.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
