import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthWire

/// Whatever the bytes are, reading them as a query or as what is stored of an item returns; what is
/// refused is said in one line with a status, and what is accepted has one encoding only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKeychain(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let frame = unsafe UnsafeRawBufferPointer(start: start, count: count)
  if let call = try? unsafe KeychainMessages.UpdateCall.read(0..<count, of: frame) {
    check(call.query.dictionary, call.changes.dictionary)
  }
  checkStored(unsafe Array(frame))
  return 0
}

// MARK: What is stored

private func checkStored(_ bytes: [UInt8]) {
  if let item = try? Item(bytes: bytes) { precondition(item.bytes == bytes, "a second encoding") }
  if let control = try? AccessControl(bytes: bytes) {
    precondition(control.bytes == bytes, "a second encoding")
  }
  if let reference = try? PersistentReference(bytes: bytes) {
    precondition(reference.bytes == bytes, "a second encoding")
  }
}

private func checkRoundTrip(_ item: Item) {
  guard let again = try? Item(bytes: item.bytes) else { fatalError("cannot be read again") }
  precondition(again == item, "reads differently after being written")
  let shown = ResultAttributes(of: item, withDigest: true)
  precondition(shown.values.count <= ItemAttribute.allCases.count, "too many attributes")
}

// MARK: Queries

private let groups = AccessGroups(["local", "team"])
private let now = WallInstant(milliseconds: 1_700_000_000_000)
private let enrolment = AccessControl.Enrolment(
  hasFingers: true,
  generation: 3,
  hasPasscode: true
)

private func check(_ query: QueryDictionary, _ changes: QueryDictionary) {
  let item = added(query)
  if let item {
    checkRoundTrip(item)
    _ = PrimaryKey(of: item)
  }
  refusing { () throws(KeychainError) in
    let found = try ItemQuery(query, groups: groups)
    check(found.selection, item)
  }
  refusing { () throws(KeychainError) in
    let deletion = try ItemDelete(query, groups: groups)
    if let item { _ = deletion.leavesTombstone(of: item) }
  }
  refusing { () throws(KeychainError) in
    let update = try ItemUpdate(query, changes: changes, groups: groups)
    check(update.selection, item)
    guard let item else { return }
    let (changed, _) = try update.applied(
      to: [item],
      at: now,
      access: { _ in .available },
      enrolment: enrolment,
      occupant: { _ in .none }
    )
    for item in changed { checkRoundTrip(item) }
  }
}

private func added(_ query: QueryDictionary) -> Item? {
  var added: Item?
  refusing { () throws(KeychainError) in
    added = try ItemAdd(query, groups: groups).admit(
      as: ItemIdentifier(high: 1, low: 2),
      at: now,
      access: .available,
      enrolment: enrolment
    ) { _ in .none }.item
  }
  return added
}

private func check(_ selection: ItemSelection, _ item: Item?) {
  _ = selection.primaryKey(in: "local")
  for itemClass in selection.storedClasses { _ = selection.terms(for: itemClass) }
  if let item { _ = selection.matches(item) }
}

/// What is refused has a status and a line.
private func refusing(_ body: () throws(KeychainError) -> Void) {
  do throws(KeychainError) {
    try body()
  } catch {
    precondition(error.status != .success && error.exit != 0, "a refusal that succeeds")
    precondition(error.sentence.unicodeScalars.allSatisfy { $0.value >= 32 }, "several lines")
  }
}
