public import LocalAuthKeychain

/// Why an item is not in a backup.
public enum LeftOut: UInt8, CaseIterable, Hashable, Sendable {
  /// It may exist only while a passcode is set, on the device that it was made on.
  case passcodeSet = 0
  /// It belongs to a token.
  case token = 1
  /// Something must be proven before it is read.
  case accessControl = 2
  /// No key of this device opens it.
  case otherDevice = 3
  /// The state of the device keeps it locked.
  case locked = 4
  /// It is in an access group that the caller may not use.
  case otherGroup = 5

  /// The word for it.
  public var word: String { String(describing: self) }
}

/// How many items a backup has, and how many it left out, and why.
public struct BackupCounts: Hashable, Sendable {
  /// The items in it, by their protection.
  public private(set) var included: [ProtectionClass: UInt64] = [:]
  /// Those of them that open protected files.
  public private(set) var fileKeys: UInt64 = 0
  /// The items that are not in it, by the reason.
  public private(set) var leftOut: [LeftOut: UInt64] = [:]

  /// No items.
  public init() {}

  /// How many items it has.
  public var total: UInt64 { included.values.reduce(0, &+) }

  /// How many items were left out.
  public var totalLeftOut: UInt64 { leftOut.values.reduce(0, &+) }

  /// Counts what became of an item of `protection`.
  public mutating func add(_ decision: BackupDecision, _ protection: ProtectionClass) {
    switch decision {
    case .included: included[protection, default: 0] += 1
    case .leftOut(let reason): leftOut[reason, default: 0] += 1
    case .passedOver: break
    }
  }

  /// Counts what opens protected files of `protection`, which is in it or could not be added.
  public mutating func add(fileKey isAdded: Bool, _ protection: ProtectionClass) {
    add(isAdded ? .included(under: protection) : .leftOut(.otherDevice), protection)
    if isAdded { fileKeys += 1 }
  }

  /// The places for numbers in a header: classes, what opens files, and reasons; some are free.
  static let classPlaces = 8
  private static let fileKeysPlace = 7
  static let reasonPlaces = 8
  static let size = 8 * (classPlaces + reasonPlaces)

  /// The numbers as a header has them.
  var bytes: [UInt8] {
    var numbers = [UInt64](repeating: 0, count: Self.classPlaces + Self.reasonPlaces)
    for (protection, count) in included { numbers[Int(protection.code)] = count }
    numbers[Self.fileKeysPlace] = fileKeys
    for (reason, count) in leftOut { numbers[Self.classPlaces + Int(reason.rawValue)] = count }
    var bytes: [UInt8] = []
    for number in numbers { bytes.append(littleEndian: number) }
    return bytes
  }

  /// Reads what ``bytes`` wrote; numbers at places that have no meaning yet are left alone.
  init(bytes: ArraySlice<UInt8>) {
    func number(_ place: Int) -> UInt64 {
      let start = bytes.startIndex + 8 * place
      return UInt64(littleEndian: bytes[start..<start + 8])
    }
    for protection in ProtectionClass.allCases {
      let count = number(Int(protection.code))
      if count > 0 { included[protection] = count }
    }
    fileKeys = number(Self.fileKeysPlace)
    for reason in LeftOut.allCases {
      let count = number(Self.classPlaces + Int(reason.rawValue))
      if count > 0 { leftOut[reason] = count }
    }
  }
}
