import CLocalAuthLinux

/// A name that a file has for the time being.
///
/// If a signal ends the process, it goes first, in a program that asked for that.
final class PassingName {
  let text: String
  /// Its directory, which stays open until the name is forgotten.
  private let entry: DirectoryEntry
  private let place: Int32

  /// Notes a name before a file has it, so that there is no moment in between.
  ///
  /// - Parameters:
  ///   - text: The name, of at most 255 bytes.
  ///   - entry: The directory, by a name in it.
  init(_ text: String, beside entry: DirectoryEntry) {
    self.text = text
    self.entry = entry
    // SAFETY: the string is a C string for the length of the call.
    place = unsafe la_draft_note(entry.directory, text)
  }

  deinit { la_draft_forget(place) }
}
