import Glibc
import LocalAuthFileFormat
public import LocalAuthKeychain
import LocalAuthSecret
package import LocalAuthUnix

/// Files that others take the place of, each once it is complete: a program that is killed leaves the
/// old file or the new one.
extension ProtectedFiles {
  /// Encrypts a file in its place; nothing wipes what the disk keeps of the old content.
  ///
  /// - Parameters:
  ///   - path: A regular file of the caller's with one name.
  ///   - protection: When it can be opened from now on.
  /// - Throws: ``FileFailure``; the file is unchanged then, unless it is ``FileFailure/notDurable(code:)``.
  public func protect(_ path: String, _ protection: FileProtection) throws(FileFailure) {
    var source = try SourceFile(path, isReplaced: true)
    guard try source.header() == nil else { throw .alreadyProtected }
    try source.checkIsNoJournal()
    let layout = try source.layout()
    try source.checkHasNoJournal(layout)
    try source.watchWriters()
    try replace(source, protection, layout) { (chunk, offset) throws(FileFailure) in
      try source.read(into: &chunk, at: offset)
    }
  }

  /// Decrypts a file in its place, once all of its content was verified.
  ///
  /// - Parameters:
  ///   - path: A protected file of the caller's with one name.
  ///   - isSealedOnly: Whether a file is refused whose program ended while it wrote.
  /// - Returns: whether the file was sealed.
  /// - Throws: ``FileFailure``; the file is unchanged then, unless it is ``FileFailure/notDurable(code:)``.
  public func unprotect(_ path: String, isSealedOnly: Bool = false) throws(FileFailure) -> Bool {
    let source = try SourceFile(path, isReplaced: true)
    // The lock is the source's: nobody is to begin to write it before another one has its place.
    let file = lease(
      try encryptedFile(source.duplicate(), .read, isSealedOnly),
      keepsLock: true
    )
    let wasSealed = try file.wasSealed
    try source.checkHasNoJournal(file.layout)
    let new = try replacement(for: source)
    try file.copy(to: new.descriptor)
    try publish(new, for: source)
    return wasSealed
  }

  /// Protects a file otherwise: with a new key, under which all of it is encrypted anew.
  ///
  /// - Parameters:
  ///   - path: A protected file of the caller's with one name, which the device's state lets open.
  ///   - protection: When it can be opened from now on.
  /// - Returns: whether the file was sealed.
  /// - Throws: ``FileFailure``; the file is unchanged then, unless it is ``FileFailure/notDurable(code:)``.
  public func reclass(_ path: String, to protection: FileProtection) throws(FileFailure) -> Bool {
    let source = try SourceFile(path, isReplaced: true)
    let file = lease(try encryptedFile(source.duplicate(), .read, false), keepsLock: true)
    let wasSealed = try file.wasSealed
    try replace(source, protection, file.layout) { (chunk, offset) throws(FileFailure) in
      try file.read(into: &chunk, at: offset)
    }
    return wasSealed
  }

  /// Throws unless another file could take the place of one that is there, before anybody has gone to the trouble of making it.
  package static func checkIsReplaceable(_ path: String) throws(FileFailure) {
    _ = try SourceFile(path, isReplaced: true)
  }

  /// Puts a protected file with other content in the place of one that is there.
  ///
  /// - Parameters:
  ///   - path: A regular file of the caller's with one name.
  ///   - content: What the file has from then on.
  ///   - protection: When it can be opened from then on.
  /// - Throws: ``FileFailure``; the file is unchanged then, unless it is ``FileFailure/notDurable(code:)``.
  public func replace(
    _ path: String,
    with content: borrowing Secret,
    _ protection: FileProtection
  ) throws(FileFailure) {
    try replace(path, with: content, protection, ifStill: nil)
  }

  /// Puts a protected file with other content in the place of one that is still what it was.
  ///
  /// - Parameters:
  ///   - path: A regular file of the caller's with one name.
  ///   - content: What the file has from then on.
  ///   - protection: When it can be opened from then on.
  ///   - stamp: The stamp that the file had; nil for any.
  /// - Throws: ``FileFailure``; the file is unchanged then, unless it is ``FileFailure/notDurable(code:)``.
  package func replace(
    _ path: String,
    with content: borrowing Secret,
    _ protection: FileProtection,
    ifStill stamp: FileStamp?
  ) throws(FileFailure) {
    let source = try SourceFile(path, isReplaced: true)
    // The file that is looked at is the one that is replaced, and nobody else can have come in between.
    if let stamp { try source.check(stamp) }
    let key = try newKey(protection)
    let new = try replacement(for: source)
    try fill(new, under: key) { (file) throws(FileFailure) in
      // SAFETY: the bytes are lent for the call.
      try unsafe content.withUnsafeBytes { (bytes) throws(FileFailure) in
        try unsafe file.write(bytes, at: 0)
      }
    }
    try publish(new, for: source)
  }

  /// Puts a protected file in the place of `source`, with the content that `next` reads into a chunk from
  /// an offset until there is none.
  private func replace(
    _ source: borrowing SourceFile,
    _ protection: FileProtection,
    _ layout: FileLayout,
    _ next: (inout Secret, Int) throws(FileFailure) -> Bool
  ) throws(FileFailure) {
    try source.checkHasNoJournal(layout)
    let key = try newKey(protection)
    let new = try replacement(for: source)
    try fill(new, under: key, layout) { (file) throws(FileFailure) in
      var chunk = Secret(capacity: ProtectedFile.partSize)
      var offset = 0
      while try next(&chunk, offset) {
        // SAFETY: the bytes are lent for the call.
        try unsafe chunk.withUnsafeBytes { (bytes) throws(FileFailure) in
          try unsafe file.write(bytes, at: offset)
        }
        offset += chunk.count
      }
    }
    try publish(new, for: source)
  }

  /// Makes `new` a protected file with the content that `body` writes, sealed.
  func fill(
    _ new: ReplacementFile,
    under key: borrowing NewFileKey,
    _ layout: FileLayout = .stream,
    _ body: (ProtectedFile) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    let file = lease(try key.begin(on: fcntl(new.descriptor, F_DUPFD_CLOEXEC, 0), layout: layout))
    try body(file)
    try file.close()
  }

  private func replacement(
    for source: borrowing SourceFile
  ) throws(FileFailure) -> ReplacementFile {
    try FileFailure.translatingSystem { () throws(SystemError) in try source.replacement() }
  }

  private func publish(
    _ new: ReplacementFile,
    for source: borrowing SourceFile
  ) throws(FileFailure) {
    // It may take long, and nobody is to change the old file meanwhile.
    try FileFailure.translatingSystem { () throws(SystemError) in try new.flush() }
    try source.checkIsUnchanged()
    try place(new)
  }

  /// Gives `new` its name.
  func place(_ new: ReplacementFile, replacing: Bool = true) throws(FileFailure) {
    do throws(SystemError) { try new.publish(replacing: replacing) } catch {
      throw FileFailure(placing: error, isInPlace: new.isInPlace)
    }
  }
}
