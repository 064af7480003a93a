// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuth

/// What is enrolled and paired, as it was when the context was asked.
public final class LADomainState: NSObject, Sendable {
  /// The fingers.
  public let biometry: LADomainStateBiometry
  /// The paired devices.
  public let companion: LADomainStateCompanion

  init(_ context: AuthContext) {
    biometry = LADomainStateBiometry(context)
    companion = LADomainStateCompanion()
    super.init()
  }

  /// Changes with every change of the fingers or the paired devices; nil where there are neither.
  public var stateHash: Data? { biometry.stateHash }
}

/// What is enrolled.
public final class LADomainStateBiometry: NSObject, Sendable {
  /// What kind of biometry the device has.
  public let biometryType: LABiometryType
  /// Changes with every change of the fingers, back to an earlier set too; nil where there are none.
  public let stateHash: Data?

  init(_ context: AuthContext) {
    biometryType = LABiometryType(context.biometryType)
    stateHash = context.domainState.map { $0.bytes }
    super.init()
  }
}

/// What is paired: nothing ever is here.
public final class LADomainStateCompanion: NSObject, Sendable {
  /// The kinds of paired devices.
  public var availableCompanionTypes: Set<LACompanionType> { [] }
  /// Changes with every change of the paired devices; nil where there are none.
  public var stateHash: Data? { nil }

  /// The same for one kind.
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
