public import LocalAuthSecret

// Parts of messages in wiped memory.

extension MessageCipher {
  /// Takes `input` and appends the result, for which ``room(for:)`` must be left.
  public func update(_ input: borrowing Secret, appendingTo output: inout Secret) {
    // SAFETY: both secrets live for the call, and the room begins behind what is in use.
    unsafe input.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { room, used in
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: room[used...])
        used += unsafe update(input, into: free)
      }
    }
  }

  /// Ends the content and appends what is left, for which there must be room for a block; false if what
  /// was decrypted has no padding.
  public func finish(appendingTo output: inout Secret) -> Bool {
    // SAFETY: the room begins behind what is in use.
    unsafe output.withUnsafeMutableBytes { room, used in
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: room[used...])
      guard let count = unsafe finish(into: free) else { return false }
      used += count
      return true
    }
  }
}

extension MessageMAC {
  /// Takes the next part of the ciphertext.
  public func update(_ ciphertext: borrowing Secret) {
    // SAFETY: the secret lives for the call.
    unsafe ciphertext.withUnsafeBytes { unsafe update($0) }
  }
}
