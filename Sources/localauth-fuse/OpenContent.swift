import CLocalAuthFuse
import Glibc
import LocalAuthFileFormat
import LocalAuthFiles
import LocalAuthUnix
import Synchronization

/// The content of a file that programs have open: all of them share one protected file.
struct OpenContent: ~Copyable {
  var file: ProtectedFile?
  var access = FileAccess.read
  /// Leads to the file for ``access`` while programs have it open, whatever its mode is by then.
  var descriptor: FileDescriptor?
  /// When it was changed: what seals it later has another time.
  var modified: timespec?
  /// Whether something was written that is not sealed.
  var isChanged = false
  /// What was written and lost failed with last, and how often that was.
  var failure: Refusal?
  var failures = 0
  var end = KernelEnd()
  /// Who has it open.
  var handles: [UInt64: Handle] = [:]
  private var nextHandle: UInt64 = 0

  /// A program's way to the file, which is told of what was lost until it has synchronized.
  struct Handle {
    let isWriter: Bool
    /// How many failures there were that it need not be told of.
    var told: Int
  }

  var isOpen: Bool { !handles.isEmpty }
  /// Whether somebody has it open for writing.
  var hasWriter: Bool { handles.values.contains(where: \.isWriter) }

  /// Takes in a program that opens the file; returns its handle.
  mutating func add(isWriter: Bool) -> UInt64 {
    nextHandle += 1
    handles[nextHandle] = Handle(isWriter: isWriter, told: failures)
    return nextHandle
  }

  /// Throws what was lost since the program that has `handle` was told last.
  mutating func tell(_ handle: UInt64, closes: Bool) throws(Refusal) {
    guard let failure, let told = handles[handle]?.told, told < failures else { return }
    // A child that closes what it got from its parent asks for nobody.
    if !closes { handles[handle]?.told = failures }
    throw failure
  }
}

/// What the kernel may have of a file in memory.
///
/// Apart from the content, so that nobody waits who takes pages back.
struct KernelPages {
  /// How the file is protected, if it was ever open.
  var protection: FileProtection?
  var isOpen = false
}

/// What is done with the content of a regular file; one thread at a time.
extension Node {
  /// Opens the file for a program; returns its handle, and whether the file was sealed.
  func open(
    _ flags: Int32,
    _ files: ProtectedFiles
  ) throws(Refusal) -> (handle: UInt64, wasSealed: Bool) {
    let isWriter = flags & O_ACCMODE != O_RDONLY
    return try content.withLock { (content) throws(Refusal) in
      let file = try reach(&content, files, isWriter ? .write : .read)
      if !content.isOpen { content.end.forgetDifference() }
      let handle = content.add(isWriter: isWriter)
      pages.withLock { $0.isOpen = true }
      do throws(FileFailure) {
        content.end.compare(try file.length)
        if flags & O_TRUNC != 0 {
          try change(&content) { (content) throws(FileFailure) in
            try file.truncate(to: 0)
            content.end.wasTold(0)
          }
        }
        return (handle, try file.wasSealed)
      } catch {
        letGo(&content, handle)
        throw Refusal(error)
      }
    }
  }

  /// Takes a file that was made a moment ago, for the program that made it; returns its handle.
  func begin(
    _ file: ProtectedFile,
    on descriptor: borrowing FileDescriptor,
    _ flags: Int32
  ) -> UInt64 {
    pages.withLock { $0 = KernelPages(protection: file.protection, isOpen: true) }
    return content.withLock { content in
      content.file = file
      content.access = .write
      content.descriptor = Self.copy(of: descriptor)
      content.isChanged = true
      return content.add(isWriter: flags & O_ACCMODE != O_RDONLY)
    }
  }

  /// A program has closed the file; whoever is the last seals it.
  ///
  /// Returns whether it is open still, for the next one who reads it.
  func release(_ handle: UInt64) -> Bool {
    content.withLock { content in
      letGo(&content, handle)
      return !content.isOpen && content.file != nil
    }
  }

  /// Seals the file and lets its key go, if nobody has it open any more.
  func close() { content.withLock { if !$0.isOpen { shut(&$0) } } }

  /// Seals the file, also under programs that have it open.
  func shut() { content.withLock { shut(&$0) } }

  /// Does something with the file, which is opened for that if nobody has it open.
  func withFile<Value: Sendable>(
    _ files: ProtectedFiles,
    for access: FileAccess,
    _ body: (ProtectedFile, inout OpenContent) throws(FileFailure) -> Value
  ) throws(Refusal) -> Value {
    try content.withLock { (content) throws(Refusal) in
      defer { if !content.isOpen { shut(&content) } }
      let file = try reach(&content, files, content.hasWriter ? .write : access)
      do throws(FileFailure) {
        guard access == .write else { return try body(file, &content) }
        let value = try change(&content) { (content) throws(FileFailure) in
          try body(file, &content)
        }
        if !content.isOpen { try seal(&content) }
        return value
      } catch { throw fail(&content, error, access) }
    }
  }

  /// Seals what was written; throws what was lost of it, to each program until it has synchronized.
  ///
  /// - Parameters:
  ///   - handle: The program's.
  ///   - closes: Whether it closes the file; who only reads is told nothing then.
  /// - Throws: ``Refusal``.
  func seal(_ handle: UInt64, closes: Bool) throws(Refusal) {
    try content.withLock { (content) throws(Refusal) in
      guard !closes || content.handles[handle]?.isWriter != false else { return }
      do throws(FileFailure) { try seal(&content) } catch { _ = fail(&content, error, .write) }
      try content.tell(handle, closes: closes)
    }
  }

  /// Whether what the kernel has of the content may stay in memory when the device is like that.
  func isKept(_ availability: DataAvailability) -> Bool {
    pages.withLock { pages in
      guard let protection = pages.protection else { return true }
      return availability.keeps(protection, isOpen: pages.isOpen)
    }
  }

  /// The key may have been taken, which sealed what was written: sets the time that this has changed, or keeps why it
  /// could not be sealed.
  func keyWasTaken() {
    content.withLock { content in
      guard let file = content.file, (try? file.length) == nil else { return }
      do throws(FileFailure) { try seal(&content) } catch { _ = fail(&content, error, .write) }
    }
  }
}

// MARK: Under the lock

extension Node {
  /// The open file, for this access; opens it if it is not so, or if its key was taken.
  private func reach(
    _ content: inout OpenContent,
    _ files: ProtectedFiles,
    _ access: FileAccess
  ) throws(Refusal) -> ProtectedFile {
    if let file = content.file, access == .read || content.access == .write,
      (try? file.length) != nil
    {
      return file
    }
    // The writer and the reader would keep each other out.
    shut(&content)
    do throws(Refusal) {
      let (descriptor, wasLocked) = try lockable(&content, access)
      let file = try Refusal.translating { () throws(FileFailure) in
        try files.open(on: descriptor, for: access)
      }
      // What is written would be in a file without a name. The kernel looks for the name once more.
      if access == .write, !wasLocked, try !hasName { throw Refusal(ESTALE) }
      content.file = file
      content.access = access
      pages.withLock { $0.protection = file.protection }
      return file
    } catch {
      if !content.isOpen { unlock(&content) }
      throw error
    }
  }

  /// Whether the file has a name; one that another one took the place of has none any more.
  private var hasName: Bool {
    get throws(Refusal) { try Self.rawStatus(of: descriptor).st_nlink > 0 }
  }

  /// A descriptor of the file for this access, which the caller owns, and whether it kept out all the while whoever would put
  /// another file in the place of this one.
  private func lockable(
    _ content: inout OpenContent,
    _ access: FileAccess
  ) throws(Refusal) -> (descriptor: Int32, wasLocked: Bool) {
    if access == .read || content.access == .write, let kept = content.descriptor.take() {
      let copy = Self.copy(of: kept)
      content.descriptor = consume kept
      guard let copy else { throw Refusal(EMFILE) }
      // From now on it has the lock for this access, also if the file does not open.
      content.access = access
      return (copy.release(), true)
    }
    let opened = try open(access == .write ? O_RDWR : O_RDONLY)
    // The lock for reading would keep this one out.
    unlock(&content)
    content.access = .read
    content.descriptor = Self.copy(of: opened)
    return (opened.release(), false)
  }

  /// Lets other programs have the file.
  ///
  /// Closing alone does not: a process that is forked has it a moment longer.
  private func unlock(_ content: inout OpenContent) {
    if let kept = content.descriptor.take() { flock(kept.rawValue, LOCK_UN) }
  }

  private static func copy(of descriptor: borrowing FileDescriptor) -> FileDescriptor? {
    let copy = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    return FileDescriptor(owning: copy)
  }

  private func change<Value: Sendable>(
    _ content: inout OpenContent,
    _ body: (inout OpenContent) throws(FileFailure) -> Value
  ) throws(FileFailure) -> Value {
    let value = try body(&content)
    content.isChanged = true
    content.modified = Self.now
    return value
  }

  /// What the program is told; a file that failed is opened anew by the next one.
  private func fail(
    _ content: inout OpenContent,
    _ failure: FileFailure,
    _ access: FileAccess
  ) -> Refusal {
    let refusal = Refusal(failure)
    guard failure != .locked else { return refusal }
    if access == .write || loses(&content) {
      content.failure = refusal
      content.failures += 1
    }
    content.file = nil
    settle(&content)
    return refusal
  }

  /// Whether something that was written cannot be sealed any more: whoever reads may be the first whom a disk fails.
  private func loses(_ content: inout OpenContent) -> Bool {
    do throws(FileFailure) { try seal(&content) } catch { return true }
    return false
  }

  private func letGo(_ content: inout OpenContent, _ handle: UInt64) {
    content.handles[handle] = nil
    guard !content.isOpen else { return }
    if content.access == .write || content.file == nil { shut(&content) }
    pages.withLock { $0.isOpen = false }
  }

  private func shut(_ content: inout OpenContent) {
    do throws(FileFailure) { try seal(&content) } catch { _ = fail(&content, error, .write) }
    try? content.file?.close()
    content.file = nil
    guard !content.isOpen else { return }
    unlock(&content)
    content.modified = nil
    content.failure = nil
  }

  private func seal(_ content: inout OpenContent) throws(FileFailure) {
    guard content.isChanged, let file = content.file else { return }
    do throws(FileFailure) { try file.synchronize() } catch {
      // Whoever took the key has sealed it, unless he could not.
      guard error == .locked else { throw error }
      if let loss = file.loss { throw loss }
    }
    settle(&content)
  }

  /// Nothing is unsealed any more; sets the time at which the content was changed.
  private func settle(_ content: inout OpenContent) {
    content.isChanged = false
    guard let modified = content.modified else { return }
    try? setTimes(accessed: Self.kept, modified: modified)
  }

  /// Stands for a time that is not set.
  static let kept = timespec(tv_sec: 0, tv_nsec: Int(LA_TIME_KEPT))

  static var now: timespec {
    var now = timespec()
    // SAFETY: the structure lives for the call.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
    return now
  }
}
