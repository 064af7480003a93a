/// The conditions of a search other than attribute values.
public struct MatchConditions: Hashable, Sendable {
  /// DER names of issuers, one of which must have issued the certificate.
  public private(set) var issuers: [[UInt8]]?
  /// The host that the server must equal or be a subdomain of.
  public private(set) var host: String?
  /// Conditions on a certificate that need an X.509 parser.
  ///
  /// A caller without one throws ``KeychainError/unsupported(_:)``; dropping a condition would
  /// return more than was asked for.
  public private(set) var certificate: [QueryKey: QueryValue] = [:]

  /// Creates an empty set of conditions.
  public init() {}

  mutating func read(
    _ key: QueryKey,
    _ value: QueryValue,
    for itemClass: ItemClass
  ) throws(KeychainError) {
    let isCertificate = itemClass == .certificate || itemClass == .identity
    switch key {
    case .matchIssuers:
      guard case .list(let names) = value else { throw .parameter(.invalidType(key.rawValue)) }
      guard isCertificate else { throw .unsupported(key.rawValue) }
      issuers = try Self.issuers(names)
    case .matchPolicy:
      guard value == .opaque else { throw .parameter(.invalidType(key.rawValue)) }
      guard isCertificate else { throw .unsupported(key.rawValue) }
      certificate[key] = value
    case .matchHost:
      guard case .text(let name) = value else { throw .parameter(.invalidType(key.rawValue)) }
      guard itemClass == .internetPassword else { throw .unsupported(key.rawValue) }
      host = name
    case .matchEmailAddress, .matchSubjectContains, .matchTrustedOnly, .matchValidOnDate:
      if isCertificate { certificate[key] = value }
    case .matchItemList, .matchSearchList:
      // Search lists and item lists exist only on macOS.
      throw .parameter(.notAllowedHere(key.rawValue))
    case .matchCaseInsensitive, .matchLimit, .itemClass, .returnData, .returnAttributes,
      .returnReference, .returnPersistentReference, .valueData, .valueReference,
      .valuePersistentReference, .useItemList, .useTombstones, .useCredential, .useOperationPrompt,
      .useNoAuthenticationUI, .useAuthenticationUI, .useAuthenticationContext, .useCallerName,
      .useSystemKeychain, .useUserIndependentKeychain, .useTokenRawItems:
      return
    }
  }

  private static func issuers(_ names: [QueryValue]) throws(KeychainError) -> [[UInt8]] {
    var issuers: [[UInt8]] = []
    for name in names {
      guard case .data(let bytes) = name else {
        throw .parameter(.invalidType(QueryKey.matchIssuers.rawValue))
      }
      issuers.append(bytes)
    }
    return issuers
  }

  /// Whether `item` meets the conditions that its attributes can decide.
  func match(_ item: Item) -> Bool {
    if let issuers, item.itemClass == .certificate {
      guard let issuer = item.value(of: .issuer), issuers.contains(issuer.canonicalBytes) else {
        return false
      }
    }
    if let host, item.itemClass == .internetPassword {
      guard let server = item.value(of: .server) else { return false }
      return Self.isHost(server.canonicalBytes, orBelow: host)
    }
    return true
  }

  /// Compares host names, ignoring the case of ASCII letters.
  private static func isHost(_ server: [UInt8], orBelow host: String) -> Bool {
    let server = server.map(lowered)
    let host = host.utf8.map(lowered)
    return !host.isEmpty
      && (server == host || server.reversed().starts(with: ([46] + host).reversed()))
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
