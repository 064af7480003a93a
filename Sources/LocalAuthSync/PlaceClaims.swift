/// What members say of places of a chain that a device has not reached.
///
/// It does not see that a hub withholds the end, but who was there says so.
struct PlaceClaims: Hashable, Sendable {
  /// What is said of one place.
  struct Claim: Hashable, Sendable {
    /// The digest of the entry.
    let digest: SyncDigest
    /// Who says so; nobody if this device was there itself.
    fileprivate(set) var authors: Set<PeerIdentifier>

    init(_ digest: SyncDigest, by authors: Set<PeerIdentifier> = []) {
      self.digest = digest
      self.authors = authors
    }
  }

  /// Of how many places one member's word is remembered: the first ones that it says, so that nobody crowds them out.
  static let placesMax = 64

  /// What is said, by the number of the place.
  private(set) var places: [UInt64: Claim] = [:]

  init() {}

  /// The claims `places`; nil if somebody says too much.
  init?(_ places: [UInt64: Claim]) {
    var said: [PeerIdentifier: Int] = [:]
    for author in places.values.flatMap(\.authors) { said[author, default: 0] += 1 }
    guard said.values.allSatisfy({ $0 <= Self.placesMax }) else { return nil }
    self.places = places
  }

  /// Takes notice of what `author` says of a place; false if somebody said otherwise.
  mutating func hear(_ place: ChainPlace, from author: PeerIdentifier) -> Bool {
    if let claim = places[place.number], claim.digest != place.digest { return false }
    let said = places.values.count { $0.authors.contains(author) }
    guard said < Self.placesMax else { return true }
    if let claim = places[place.number] {
      // What this device saw itself needs no other word.
      if !claim.authors.isEmpty { places[place.number]?.authors.insert(author) }
    } else {
      places[place.number] = Claim(place.digest, by: [author])
    }
    return true
  }

  /// This device was at a place that it now leaves.
  mutating func leave(_ place: ChainPlace) { places[place.number] = Claim(place.digest) }

  /// Whether nobody says otherwise of a place.
  func admits(_ place: ChainPlace) -> Bool {
    places[place.number].map { $0.digest == place.digest } ?? true
  }

  /// Forgets what is said up to a place that was reached.
  mutating func reach(_ place: ChainPlace) {
    guard !places.isEmpty else { return }
    places = places.filter { $0.key > place.number }
  }

  /// Forgets what those say whom nobody believes any more, so that no false word outlives its author.
  mutating func forget(_ peers: Set<PeerIdentifier>) {
    guard places.values.contains(where: { !$0.authors.isDisjoint(with: peers) }) else { return }
    for (number, claim) in places where !claim.authors.isEmpty {
      let authors = claim.authors.subtracting(peers)
      places[number] = authors.isEmpty ? nil : Claim(claim.digest, by: authors)
    }
  }
}
