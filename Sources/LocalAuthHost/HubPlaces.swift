/// The conversations with hubs that each user has: nobody takes those of the others, as many devices as somebody makes.
///
/// For the engine's thread.
final class HubPlaces {
  /// How many one user has at a time; the socket unit has room for eight such users.
  static let ofOne = 32

  private var taken: [UInt32: Int] = [:]

  /// One of them, until it is let go.
  final class Place {
    private let places: HubPlaces
    private let owner: UInt32

    fileprivate init(_ places: HubPlaces, _ owner: UInt32) {
      (self.places, self.owner) = (places, owner)
      places.taken[owner, default: 0] += 1
    }

    deinit {
      let left = places.taken[owner, default: 1] - 1
      places.taken[owner] = left > 0 ? left : nil
    }
  }

  /// A place for a device of this user; nil if the user has all of them.
  func place(for owner: UInt32) -> Place? {
    taken[owner, default: 0] < Self.ofOne ? Place(self, owner) : nil
  }
}
