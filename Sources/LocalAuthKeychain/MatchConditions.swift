/// What a search asks for besides values of attributes.
public struct MatchConditions: Hashable, Sendable {
  /// Issuers of which one must have issued the certificate, as DER names.
  public private(set) var issuers: [[UInt8]]?
  /// The host that the server must be, or be below.
  public private(set) var host: String?
  /// Conditions on a certificate that only somebody who reads X.509 can judge.
  ///
  /// A caller who cannot answers ``KeychainError/unsupported(_:)``; dropping one would return more
  /// than was asked for.
  public private(set) var certificate: [QueryKey: QueryValue] = [:]

  /// No condition.
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
      // A keychain to search and items to choose from exist only on macOS.
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

  /// Whether `item` meets those conditions that its attributes can show.
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

  /// Host names are compared without regard to the case of their ASCII letters.
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
