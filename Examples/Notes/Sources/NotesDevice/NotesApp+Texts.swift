import LocalAuthFiles
import NotesCore

/// Notes, and what becomes one.
extension NotesApp {
  /// The numbers of the notes, oldest first.
  public var numbers: [Int] { session.isOpen ? notes.numbers() : [] }

  /// Whether there is text that no file has.
  public var hasUnsavedText: Bool { text.count > 0 }

  /// Lends a note to `body`, which must not keep it; false if it cannot be read, and then `problem` says why.
  public func read(_ number: Int, _ body: (borrowing Secret) -> Void) -> Bool {
    guard session.isOpen else { return false }
    do throws(FileFailure) {
      body(try notes.text(number))
      return true
    } catch {
      problem =
        notes.has(number) ? error.message(about: "Note \(number)") : "There is no note \(number)."
      return false
    }
  }

  /// Lends the unsaved text.
  public func readUnsaved(_ body: (borrowing Secret) -> Void) { body(text) }

  /// Adds to the unsaved text; false if the note would be too long.
  public func write(_ more: borrowing Secret) -> Bool {
    guard session.isOpen, more.count <= text.capacity - text.count else { return false }
    text.append(contentsOf: more)
    session.edited(hasUnsavedText: hasUnsavedText)
    return true
  }

  /// Makes a note of the unsaved text.
  ///
  /// - Returns: its number; nil if there is none, and then `problem` may say why.
  @discardableResult
  public func save() -> Int? {
    guard session.isOpen, hasUnsavedText else { return nil }
    var number: Int?
    let answer = SaveAnswer { () throws(FileFailure) in number = try notes.add(text) }
    if case .failed(let words) = answer { problem = words }
    if answer == .saved { forget() }
    perform(session.saved(answer))
    return number
  }

  /// Drops the unsaved text.
  public func drop() {
    guard session.isOpen else { return }
    forget()
    session.edited(hasUnsavedText: false)
  }

  private func forget() {
    text.removeAll()
    for number in drafts.numbers() { _ = drafts.remove(number) }
  }

  /// Deletes a note; false if there is none.
  public func delete(_ number: Int) -> Bool { session.isOpen && notes.remove(number) }

  func keepDraft() {
    do throws(FileFailure) { try drafts.write(text, 1) } catch {
      problem = error.message(about: "the draft")
    }
  }

  func takeIn() {
    fetch()
    do throws(FileFailure) {
      for number in drafts.numbers() { _ = write(try drafts.text(number)) }
    } catch { problem = error.message(about: "the draft") }
  }

  /// Makes notes of what is in the inbox; what cannot be taken in now stays there.
  public func fetch() {
    guard session.isOpen else { return }
    do throws(FileFailure) {
      for number in inbox.numbers() {
        try notes.add(try inbox.text(number))
        _ = inbox.remove(number)
        cameIn += 1
      }
    } catch { problem = error.message(about: "what came in") }
  }
}
