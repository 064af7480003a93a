/// A property that holds whatever happens, as reports state it.
public protocol StatedProperty: CaseIterable, Hashable, Sendable {
  /// The name of the property.
  var name: String { get }
  /// The property in one sentence.
  var sentence: String { get }
}

extension Property: StatedProperty {}

/// A machine beside the device's, with its environment and what really happened to it.
///
/// It is a value, and equal values behave alike.
public protocol SmallModel: Hashable, Sendable {
  /// What can happen.
  associatedtype Event: Hashable & Sendable & CustomStringConvertible
  /// What must hold.
  associatedtype Property: StatedProperty

  /// The name of this model among those of its machine, for reports.
  var name: String { get }
  /// Everything that can happen now, in a fixed order.
  var events: [Event] { get }

  /// Does `event`, and returns what was seen of it.
  mutating func apply(_ event: Event) -> Witnessed<Property>

  /// What is seen of the situation itself, whatever led to it.
  func inspect() -> Witnessed<Property>
}

/// What was at risk in an event or a situation, and what was broken.
public struct Witnessed<Property: StatedProperty>: Sendable {
  /// The properties that a wrong machine could have broken.
  public private(set) var risked: Set<Property> = []
  /// The first property that was broken.
  public private(set) var broken: Property?

  /// Says that a wrong machine could have broken `property`, and whether it holds.
  mutating func check(_ property: Property, _ holds: Bool) {
    risked.insert(property)
    if !holds, broken == nil { broken = property }
  }
}
