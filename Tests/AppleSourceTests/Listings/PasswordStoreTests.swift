import LocalAuthTestKit
import Security
import Testing

/// A generic password's life: add, copy, update, delete, and the wrapper that does either.
@Suite struct PasswordStoreTests {
  private let device: TestDevice
  private let store = PasswordStore(service: "org.example.mail")

  init() throws { device = try .phone() }

  @Test func whatIsAddedIsReadBack() throws {
    try device.use {
      try store.add("hunter2", for: "ann", label: "Mail of Ann", note: "the private one")
      let password = try store.password(for: "ann")
      #expect(password == "hunter2")
      let attributes = try store.attributes(of: "ann")
      #expect(attributes[kSecAttrAccount as String] as? String == "ann")
      #expect(attributes[kSecAttrService as String] as? String == "org.example.mail")
      #expect(attributes[kSecAttrLabel as String] as? String == "Mail of Ann")
      #expect(attributes[kSecAttrDescription as String] as? String == "the private one")
      let accessible = attributes[kSecAttrAccessible as String] as? String
      #expect(accessible == kSecAttrAccessibleWhenUnlocked as String)
      #expect(attributes[kSecAttrCreationDate as String] is Date)
    }
  }

  @Test func aSecondOfTheSameAccountIsADuplicate() throws {
    try device.use {
      try store.add("hunter2", for: "ann")
      #expect(throws: PasswordStore.Failure.alreadyThere) { try store.add("new", for: "ann") }
      let password = try store.password(for: "ann")
      #expect(password == "hunter2")
    }
  }

  @Test func anUpdateChangesThePasswordAndNothingElse() throws {
    try device.use {
      try store.add("hunter2", for: "ann", label: "Mail")
      try store.update("swordfish", for: "ann")
      let password = try store.password(for: "ann")
      #expect(password == "swordfish")
      let label = try store.attributes(of: "ann")[kSecAttrLabel as String] as? String
      #expect(label == "Mail")
    }
  }

  @Test func whatIsNotThereCannotBeReadUpdatedOrRemoved() {
    device.use {
      #expect(throws: PasswordStore.Failure.notThere) { try store.password(for: "ann") }
      #expect(throws: PasswordStore.Failure.notThere) { try store.update("x", for: "ann") }
      #expect(throws: PasswordStore.Failure.notThere) { try store.remove("ann") }
      #expect(throws: Never.self) { try store.removeAll() }
    }
  }

  @Test(arguments: ["", "a", "pässwörd 🔑", String(repeating: "long ", count: 1_000)])
  func addOrUpdateKeepsTheLast(password: String) throws {
    try device.use {
      try store.set("first", for: "ann")
      try store.set(password, for: "ann")
      let found = try store.password(for: "ann")
      #expect(found == password)
      let accounts = try store.accounts()
      #expect(accounts == ["ann"])
    }
  }

  @Test func servicesAreApart() throws {
    try device.use {
      let other = PasswordStore(service: "org.example.web")
      for account in ["ann", "bob"] { try store.add("mail", for: account) }
      try other.add("web", for: "ann")
      #expect(try store.accounts().sorted() == ["ann", "bob"])
      try store.removeAll()
      #expect(try store.accounts().isEmpty)
      #expect(try other.password(for: "ann") == "web")
    }
  }

  @Test func whatIsAccessibleWhileUnlockedIsLockedWithTheDevice() throws {
    try device.use {
      var always = PasswordStore(service: "background")
      always.accessibility = kSecAttrAccessibleAfterFirstUnlock
      try store.add("foreground", for: "ann")
      try always.add("background", for: "ann")
      try device.lockForGood()
      #expect(throws: PasswordStore.Failure.status(errSecInteractionNotAllowed)) {
        try store.password(for: "ann")
      }
      #expect(try always.password(for: "ann") == "background")
    }
  }

  @Test func synchronizableItemsAreTheirOwn() throws {
    try device.use {
      var cloud = store
      cloud.isSynchronizable = true
      try store.add("here", for: "ann")
      try cloud.add("everywhere", for: "ann")
      #expect(try store.password(for: "ann") == "here")
      #expect(try cloud.password(for: "ann") == "everywhere")
      let both: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: store.service,
        kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
        kSecMatchLimit as String: kSecMatchLimitAll,
        kSecReturnData as String: true,
      ]
      var found: CFTypeRef?
      #expect(SecItemCopyMatching(both as CFDictionary, &found) == errSecSuccess)
      let texts = (found as? [Data])?.map { String(decoding: $0, as: UTF8.self) }
      #expect(texts.map(Set.init) == ["here", "everywhere"])
      try cloud.removeAll()
      #expect(throws: PasswordStore.Failure.notThere) { try cloud.password(for: "ann") }
      #expect(try store.password(for: "ann") == "here")
    }
  }

  @Test func whatIsNoTextIsToldApart() throws {
    try device.use {
      let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: store.service, kSecAttrAccount as String: "ann",
        kSecValueData as String: Data([0xff, 0xfe]),
      ]
      try #require(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
      #expect(throws: PasswordStore.Failure.notText) { try store.password(for: "ann") }
    }
  }

  @Test func everyStatusHasAMessage() {
    for status in [errSecItemNotFound, errSecDuplicateItem, errSecParam, -1] {
      let message = SecCopyErrorMessageString(status, nil) as String?
      #expect(message?.isEmpty == false)
    }
  }
}
