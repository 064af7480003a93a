import LocalAuthCore
import LocalAuthKeychain

/// A device's keys: what the ``Keybag`` machine asks for is done to the vault here and nowhere else.
extension LiveDevice {
  /// Does what the keybag asks; `opened` are the keys that came with the event.
  ///
  /// A refusal is answered with its reason; keys that are not installed are wiped with `opened`.
  @discardableResult
  func follow(_ action: Keybag.Action, with opened: (any OpenedKeys)? = nil) -> Keybag.Refusal? {
    switch action {
    case .nothing, .discard: return nil
    case .install(let classes): opened?.install(classes)
    case .reopen(let classes): vault.bringBack(classes)
    case .sealAt(let instant): sealKeys(at: instant)
    case .seal(let classes): vault.setAside(classes)
    case .wipeSealed: vault.wipeAside(.whenUnlocked)
    case .wipe(let classes): vault.wipe(classes)
    case .adopt(let kept, let wiped):
      opened?.install(kept)
      vault.wipe(wiped)
    case .commit: preconditionFailure("a change of the passcode is committed by its own way")
    case .refuse(let refusal): return refusal
    }
    return nil
  }

  /// The keys of an unlocked device are put away when its grace is over.
  private func sealKeys(at instant: BootInstant) {
    _ = timers.add(at: instant) { [weak self] in
      guard let self else { return }
      follow(keybag.timePassed(at: instant))
    }
  }

  /// The enrolled set is another one now, and so is its secret: what hung on the last is gone.
  func enrolmentChanged() {
    authorizations.enrolmentChanged()
    follow(keybag.fingersRevoked())
    renewEnrolledSet()
  }

  /// Gives the keybag, where there is one, a new secret for the enrolled set.
  ///
  /// A damaged keybag stays as it is: it opens nothing.
  func renewEnrolledSet() {
    let generation = record.enrolment.fingers.isEmpty ? nil : record.enrolment.generation
    guard let keybag = sealedKeybag, let renewed = vault.renewEnrolledSet(generation, in: keybag)
    else { return }
    sealedKeybag = renewed
  }
}
