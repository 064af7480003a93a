// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuth

/// The state of enrolment and pairing when the context was asked.
public final class LADomainState: NSObject, Sendable {
  /// The state of the enrolled fingers.
  public let biometry: LADomainStateBiometry
  /// The state of the paired devices.
  public let companion: LADomainStateCompanion

  init(_ context: AuthContext) {
    biometry = LADomainStateBiometry(context)
    companion = LADomainStateCompanion()
    super.init()
  }

  /// A token that changes with every change of the fingers or the paired devices; nil if there are
  /// neither.
  public var stateHash: Data? { biometry.stateHash }
}

/// The state of the enrolled fingers.
public final class LADomainStateBiometry: NSObject, Sendable {
  /// The kind of biometry the device has.
  public let biometryType: LABiometryType
  /// A token that changes with every change of the fingers, even back to an earlier set; nil if
  /// there are none.
  public let stateHash: Data?

  init(_ context: AuthContext) {
    biometryType = LABiometryType(context.biometryType)
    stateHash = context.domainState.map { $0.bytes }
    super.init()
  }
}

/// The state of the paired devices, of which there are never any.
public final class LADomainStateCompanion: NSObject, Sendable {
  /// The kinds of paired devices.
  public var availableCompanionTypes: Set<LACompanionType> { [] }
  /// Always nil, because there are no paired devices.
  public var stateHash: Data? { nil }

  /// Always nil, because there are no paired devices of any kind.
  public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}

extension DomainState {
  /// The value as bytes.
  var bytes: Data {
    let digits = description.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return Data(
      stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    )
  }
}
