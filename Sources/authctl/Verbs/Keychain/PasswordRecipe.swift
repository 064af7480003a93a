import LocalAuthSecret

/// How a random password is made.
///
/// Each password of the length that has a character of each set is as likely as any other.
struct PasswordRecipe {
  /// The length in characters.
  let length: Int
  /// What the characters are taken from.
  let sets: [CharacterKind]

  /// Creates a recipe; nil if a password of this length cannot have a character of each set.
  init?(length: Int, sets: [CharacterKind]) {
    guard !sets.isEmpty, length >= sets.count else { return nil }
    self.length = length
    self.sets = sets
  }

  /// Makes a password; whoever calls with a predictable generator gets a predictable password.
  func password(using generator: inout some RandomNumberGenerator) -> Secret {
    let characters = sets.flatMap(\.characters)
    var password = Secret(capacity: length)
    repeat {
      // One that lacks a set is drawn anew as a whole, because mending it would prefer some.
      password.removeAll()
      for _ in 0..<length {
        // The upper bound is honoured without bias.
        let index = Int(generator.next(upperBound: UInt(characters.count)))
        _ = password.append(characters[index])
      }
    } while !hasEachSet(password)
    return password
  }

  private func hasEachSet(_ password: borrowing Secret) -> Bool {
    // SAFETY: the bytes are only read within the call.
    unsafe password.withUnsafeBytes { bytes in
      sets.allSatisfy { set in unsafe bytes.contains { set.characters.contains($0) } }
    }
  }
}

/// A set of characters for passwords, all of them ASCII and none that a shell or CSV file quotes by.
enum CharacterKind: String, CaseIterable, Sendable {
  case lower
  case upper
  case digits
  case symbols

  /// The characters.
  var characters: [UInt8] {
    switch self {
    case .lower: Array("abcdefghijklmnopqrstuvwxyz".utf8)
    case .upper: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    case .digits: Array("0123456789".utf8)
    case .symbols: Array("!#%&()*+,-./:;<=>?@[]^_{|}~".utf8)
    }
  }
}

/// Sets of characters, between commas.
struct CharacterKinds: ExpressibleByArgument {
  let kinds: [CharacterKind]

  init?(argument: String) {
    var kinds: [CharacterKind] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = CharacterKind(rawValue: String(word)), !kinds.contains(kind) else {
        return nil
      }
      kinds.append(kind)
    }
    self.kinds = kinds
  }

  static var expectation: String {
    "sets between commas (\(CharacterKind.allCases.map(\.rawValue).joined(separator: " ")))"
  }
}

/// The length of a password.
struct PasswordLength: ExpressibleByArgument {
  let length: Int

  init?(argument: String) {
    guard let length = Int(argument: argument), (1...1024).contains(length) else { return nil }
    self.length = length
  }

  static var expectation: String { "a number from 1 to 1024" }
}
