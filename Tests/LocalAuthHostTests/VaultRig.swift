import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthTestSupport
import LocalAuthUnix

@testable import LocalAuthCore
@testable import LocalAuthHost

/// One installation and what its vaults are asked.
struct VaultRig {
  static let device = DeviceIdentity(owner: 1000, name: "desk")

  let deviceKey = DeviceKey.generate()
  let threads: WorkerPool
  private let vaults: KeyVaults

  init() throws {
    threads = try WorkerPool(name: "vault-test", threads: 1)
    vaults = KeyVaults(deviceKey, isEphemeral: true, on: threads)
  }

  /// A vault with no key in it.
  func vault(of device: DeviceIdentity = Self.device) -> any KeyVault { vaults.vault(of: device) }

  /// A vault with the keys of `classes`.
  func vault(with classes: ProtectionClassSet) -> any KeyVault {
    let vault = vault()
    vault.keys(creating: classes).install(classes)
    return vault
  }

  /// A vault with every class and the secret of the enrolled set of `generation`, and its keybag, which
  /// `1234` opens.
  func enrolled(_ generation: UInt64 = 7) async throws -> (vault: any KeyVault, keybag: [UInt8]) {
    let vault = vault()
    let keys = vault.keys(creating: .all)
    keys.install(.all)
    let record = KeybagRecord(hasPasscode: true, passcodeSetKeys: 1)
    let keybag = try await keys.sealed(record, passcode: "1234").orThrow()
    return (vault, try vault.renewEnrolledSet(generation, in: keybag).orThrow())
  }

  /// An item with the access control of `flags` on a device whose set is at `generation`.
  func item(
    _ protection: ProtectionClass = .whenUnlocked,
    flags: AccessControlFlags = [],
    generation: UInt64 = 7,
    account: String = "me",
    number: UInt64 = 1,
    hasData: Bool = true
  ) throws -> Item {
    let device = AccessControl.Enrolment(
      hasFingers: true,
      generation: generation,
      hasPasscode: true
    )
    return Item(
      identifier: ItemIdentifier(high: 9, low: number),
      itemClass: .genericPassword,
      group: "team.app",
      accessControl: try AccessControl(protection, flags: flags).bound(to: device),
      created: WallInstant(milliseconds: 1),
      modified: WallInstant(milliseconds: 2),
      attributes: [.account: .text(account), .service: .text("mail")],
      hasData: hasData
    )
  }
}

struct Missing: Error {}

extension Optional {
  func orThrow() throws -> Wrapped {
    guard let value = self else { throw Missing() }
    return value
  }
}

func box(_ text: String) -> SecretBox { SecretBox(secret(Array(text.utf8))) }

func secret(_ bytes: [UInt8]) -> Secret {
  var secret = Secret(capacity: bytes.count)
  for byte in bytes { _ = secret.append(byte) }
  return secret
}

/// The bytes of a secret, or nil of none; tests know their secrets anyway.
func bytes(_ secret: consuming Secret?) -> [UInt8]? {
  switch consume secret {
  case .some(let secret):
    // SAFETY: the bytes are read within the call.
    return unsafe secret.withUnsafeBytes { unsafe Array($0) }
  case .none: return nil
  }
}

extension OpenedKeys {
  func sealed(_ record: KeybagRecord, passcode: String? = nil) async -> [UInt8]? {
    await withCheckedContinuation { answer in
      seal(record, passcode: passcode.map(box)) { answer.resume(returning: $0) }
    }
  }
}

/// No machine counts where the vault alone is tried.
private let uncounted = DurableCharge(AttemptID(EvaluationID(high: 0, low: 0), .passcode))

extension KeyVault {
  func opening(_ passcodes: [SecretBox], _ keybag: [UInt8]) async -> KeybagOpening {
    await withCheckedContinuation { answer in
      open(keybag, with: passcodes, for: uncounted) { answer.resume(returning: $0) }
    }
  }

  func opening(_ passcode: String, _ keybag: [UInt8]) async -> KeybagOpening {
    await opening([box(passcode)], keybag)
  }

  func stretched(_ password: String, for item: ItemIdentifier) async -> [UInt8]? {
    let key = await withCheckedContinuation { answer in
      stretch(box(password), of: item, for: uncounted) { answer.resume(returning: $0) }
    }
    return key.flatMap { bytes($0.take()) }
  }

  /// `item` with `text` as its data, sealed.
  func sealed(_ item: Item, _ text: String = "s3cret") throws -> SealedItem {
    let data: Secret? = item.hasData ? secret(Array(text.utf8)) : nil
    return try seal(item, data: data, classKey: 1, password: nil).orThrow()
  }

  func item(_ sealed: SealedItem) -> Item? { sealed.lent { item($0) } }

  func text(_ sealed: SealedItem) -> String? {
    bytes(sealed.lent { data(of: $0) }).map { String(decoding: $0, as: UTF8.self) }
  }

  func text(_ sealed: SealedItem, _ proof: consuming Proof?) throws -> String? {
    guard let proof else { throw Missing() }
    var spent: Proof? = proof
    let data = sealed.lent { stored -> Secret? in
      guard let proof = spent.take() else { return nil }
      return self.data(of: stored, proof, password: nil)
    }
    return bytes(data).map { String(decoding: $0, as: UTF8.self) }
  }

  /// As ``text(_:_:)`` with the proof of the item itself.
  func textWithProof(_ sealed: SealedItem, generation: UInt64 = 7) throws -> String? {
    let accessControl = try AccessControl(bytes: sealed.accessControl)
    return try text(
      sealed,
      proof(of: sealed.header.identifier, accessControl, generation: generation)
    )
  }
}

extension SealedItem {
  /// Lends the item as the store does.
  func lent<R: ~Copyable>(_ body: (borrowing StoredItem) -> R) -> R {
    let data = secret ?? []
    let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    // SAFETY: the places are the arrays' own, in place during the calls.
    return unsafe accessControl.span.withUnsafeBytes { accessControl in
      unsafe wrappedKey.span.withUnsafeBytes { wrappedKey in
        unsafe attributes.span.withUnsafeBytes { attributes in
          unsafe data.span.withUnsafeBytes { bytes in
            let parts = unsafe StoredItem.Parts(
              terms: none,
              accessControl: accessControl,
              wrappedKey: wrappedKey,
              attributes: attributes,
              secret: secret == nil ? nil : bytes
            )
            return unsafe body(StoredItem(header: header, parts: parts))
          }
        }
      }
    }
  }
}
