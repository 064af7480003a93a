import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret

/// Opening and sealing items.
///
/// A row stores the access control in the clear, because the item's keys depend on it: nothing if
/// the access control is trivial, whatever its flags, and its bytes otherwise. The sealed
/// attributes contain all of it.
extension DeviceVault {
  func item(_ stored: borrowing StoredItem) -> Item? {
    let header = stored.header
    let hasData = stored.hasSecret
    guard let open = openClass(of: header) else { return nil }
    return stored.withParts { accessControl, _, attributes, _ in
      let context = ItemContext(header, hasData: hasData, accessControl: accessControl, on: label)
      guard let bytes = open.cipher.openAttributes(attributes, in: context),
        let item = try? Item(bytes: bytes), item.isOf(header, hasData, accessControl)
      else { return nil }
      return item
    }
  }

  func data(of stored: borrowing StoredItem) -> Secret? {
    let header = stored.header
    let hasData = stored.hasSecret
    guard let open = openClass(of: header) else { return nil }
    return stored.withParts { accessControl, wrapped, _, data in
      let context = ItemContext(header, hasData: hasData, accessControl: accessControl, on: label)
      guard let itemKey = open.cipher.unwrap(wrapped, in: context) else { return nil }
      // The absence of data is as genuine as the key, which opened in a context that includes it.
      guard let data else { return Secret(capacity: 0) }
      return ItemCipher.open(data, under: itemKey, in: context)
    }
  }

  func data(
    of stored: borrowing StoredItem,
    _ proof: consuming Proof,
    password: borrowing Secret?
  ) -> Secret? {
    let header = stored.header
    let hasData = stored.hasSecret
    guard let open = openClass(of: header) else { return nil }
    let set = enrolledSet.current
    var spent: Proof? = proof
    return stored.withParts { accessControl, wrapped, _, data in
      let context = ItemContext(header, hasData: hasData, accessControl: accessControl, on: label)
      guard let proof = spent.take() else { return nil }
      let opened = open.cipher.openGuarded(
        wrapped,
        proof,
        enrolledSet: set,
        password: password,
        in: context
      )
      guard let itemKey = opened else { return nil }
      guard let data else { return Secret(capacity: 0) }
      return ItemCipher.open(data, under: itemKey, in: context)
    }
  }

  func seal(
    _ item: Item,
    data: borrowing Secret?,
    classKey: UInt64,
    password: borrowing Secret?
  ) -> SealedItem? {
    let accessControl = item.accessControl
    guard item.itemClass != .identity, accessControl.binding != .unbound,
      let cipher = openClass(accessControl.protection)
    else { return nil }
    let header = header(of: item, classKey: classKey)
    let shown = accessControl.isTrivial ? [] : accessControl.bytes
    // SAFETY: the bytes are the array's own, in place during the call.
    let context = unsafe ItemContext(
      header,
      hasData: item.hasData,
      accessControl: shown.span.bytes,
      on: label
    )
    let itemKey = ItemCipher.newItemKey()
    let wrapped = cipher.wrap(
      itemKey,
      accessControl,
      enrolledSet: enrolledSet.current,
      password: password,
      in: context
    )
    guard let wrapped else { return nil }
    var sealed: [UInt8]?
    if item.hasData {
      guard let bytes = Self.seal(data, under: itemKey, in: context) else { return nil }
      sealed = bytes
    }
    return SealedItem(
      header: header,
      terms: search.terms(of: item),
      accessControl: shown,
      wrappedKey: wrapped,
      attributes: cipher.cipher.sealAttributes(item.bytes, in: context),
      secret: sealed
    )
  }

  // MARK: Parts

  private func openClass(of header: ItemHeader) -> OpenClass? {
    header.device == device ? openClass(header.protection) : nil
  }

  private func header(of item: Item, classKey: UInt64) -> ItemHeader {
    ItemHeader(
      device: device,
      identifier: item.identifier,
      itemClass: item.itemClass,
      key: search.hash(of: PrimaryKey(of: item)),
      protection: item.accessControl.protection,
      classKey: classKey,
      isSynchronizable: item.isSynchronizable,
      isTombstone: item.isTombstone,
      modified: item.modified
    )
  }

  private static func seal(
    _ data: borrowing Secret?,
    under itemKey: borrowing Secret,
    in context: ItemContext
  ) -> [UInt8]? {
    switch data {
    case .some(let data): ItemCipher.seal(data, under: itemKey, in: context)
    case .none: nil
    }
  }
}

extension DeviceVault.OpenClass {
  /// Wraps an item's key as its access control requires; nil if an input for that is missing.
  fileprivate func wrap(
    _ itemKey: borrowing Secret,
    _ accessControl: AccessControl,
    enrolledSet: EnrolledSet?,
    password: borrowing Secret?,
    in context: ItemContext
  ) -> [UInt8]? {
    if accessControl.isTrivial { return cipher.wrap(itemKey, in: context) }
    return cipher.wrapGuarded(
      itemKey,
      accessControl,
      enrolledSet: enrolledSet,
      password: password,
      in: context
    )
  }
}

extension Item {
  /// Whether the item matches the parts of its row that are in the clear.
  fileprivate func isOf(_ header: ItemHeader, _ hasSecret: Bool, _ shown: RawSpan) -> Bool {
    guard identifier == header.identifier, itemClass == header.itemClass,
      accessControl.protection == header.protection, isSynchronizable == header.isSynchronizable,
      isTombstone == header.isTombstone, modified == header.modified, hasData == hasSecret
    else { return false }
    if accessControl.isTrivial { return shown.isEmpty }
    // SAFETY: the bytes are only used inside the closure that lends them.
    return unsafe shown.withUnsafeBytes { unsafe $0.elementsEqual(accessControl.bytes) }
  }
}
