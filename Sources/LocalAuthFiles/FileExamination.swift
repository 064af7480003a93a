import Glibc
public import LocalAuthFileFormat
public import LocalAuthKeychain

/// What is damaged of a protected file, all of which was read and verified.
public struct FileExamination: Hashable, Sendable {
  /// When the file can be opened.
  public let protection: FileProtection
  /// The bytes of the content, without what is missing at the end.
  public let length: Int
  /// Whether the file is sealed: if not, a program ended while it wrote the file.
  public let isSealed: Bool
  /// The bytes of the content in a chunk, which is whole or damaged.
  public let chunkSize: Int
  /// The parts that are damaged, in bytes of the content.
  public let damaged: [Range<Int>]
  /// What is wrong with the file as a whole.
  public let flaws: FileFlaws

  /// Whether all of the file is what was written.
  public var isWhole: Bool { hasWholeContent && flaws.headers.isEmpty }

  /// Whether the content is, and nothing but a spare header is damaged.
  public var hasWholeContent: Bool {
    damaged.isEmpty && flaws.missing == 0 && flaws.extra == 0 && !flaws.isMixed
  }

  /// The chunks that a part of the content is of.
  public func chunks(of part: Range<Int>) -> ClosedRange<Int> {
    part.lowerBound / chunkSize...max(part.lowerBound, part.upperBound - 1) / chunkSize
  }
}

extension ProtectedFiles {
  /// Reads all of a protected file, and says what of it is damaged.
  ///
  /// - Parameter path: The file's path, whose last part is no symbolic link.
  /// - Returns: what was found.
  /// - Throws: ``FileFailure``, with ``ProtectedFileError/damaged`` if none of its headers is whole.
  public func examine(_ path: String) throws(FileFailure) -> FileExamination {
    let descriptor = try SourceFile.open(path, O_RDONLY)
    let file = lease(try encryptedFile(descriptor, .read, false, isExamined: true))
    let damaged = try file.damagedParts()
    return try file.withFile { (file) throws(ProtectedFileError) in
      FileExamination(
        protection: file.protection,
        length: file.length,
        isSealed: file.wasSealed,
        chunkSize: file.chunkSize,
        damaged: damaged,
        flaws: file.flaws
      )
    }
  }
}
