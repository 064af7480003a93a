import LocalAuthCore
import LocalAuthWire

/// The references of an environment or a template, each once, in the order in which they appear.
struct ReferenceList {
  /// The most references: the prompt names what each of them opens.
  static let most = WireLimits().searchesMax

  /// A reference, and where it was first found: "in DB_PASSWORD".
  struct Entry: Sendable {
    let reference: SecretReference
    let place: String

    /// The reference and its place, for people.
    var text: String { "\(reference.text) (\(place))" }
  }

  /// The references.
  private(set) var entries: [Entry] = []
  /// Their numbers, by their bytes.
  private var numbers: [[UInt8]: Int] = [:]

  var isEmpty: Bool { entries.isEmpty }

  /// Reads the reference that `bytes` are, found at `place`, and returns its number.
  mutating func number(
    of bytes: some Sequence<UInt8>,
    _ place: @autoclosure () -> String
  ) throws(Failure) -> Int {
    let reference: SecretReference
    do throws(ReferenceFault) {
      reference = try SecretReference(bytes)
    } catch {
      throw Failure(.usage, "The reference \(place()) is not understood: \(error.sentence).")
    }
    if let number = numbers[reference.bytes] { return number }
    guard entries.count < Self.most else {
      throw Failure(
        .usage,
        "There are references to more than \(Self.most) secrets, which are too many to approve at "
          + "once; use several runs."
      )
    }
    entries.append(Entry(reference: reference, place: place()))
    numbers[reference.bytes] = entries.count - 1
    return entries.count - 1
  }
}
