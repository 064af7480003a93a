import LocalAuth
import LocalAuthDocuments
import LocalAuthFiles
import NotesCore
import Testing

@testable import NotesDevice

/// Notes that other programs and devices have too; another program stands for another device here.
@Suite(.serialized) struct SharedNotesTests {
  private func write(_ text: String, _ app: NotesApp) {
    _ = app.write(Secret(copying: text.utf8))
    app.save()
  }

  private func shared(_ name: String, _ app: NotesApp) -> [String]? {
    var texts: [String] = []
    return app.readShared(name) { texts.append($0.text) } ? texts : nil
  }

  @Test func whatIsSharedIsADocumentAndNoNoteOfThisDeviceAnyMore() throws {
    let phone = try Phone.ofAnn()
    let elsewhere = DocumentContainer(on: phone.device.device)
    try phone.use { app throws in
      write("milk", app)
      #expect(app.share(1, as: "groceries"))
      #expect(app.numbers == [])
      #expect(app.sharedNotes == [SharedNote(name: "groceries", isInConflict: false)])
      #expect(try elsewhere.read("groceries").bytes == Array("milk".utf8))
      #expect(shared("groceries", app) == ["milk"])
      #expect(app.deleteShared("groceries"))
      #expect(app.sharedNotes == [])
      #expect(shared("groceries", app) == nil)
      #expect(app.takeProblem() == "There is no document 'groceries'.")
    }
  }

  @Test func aNameWhoseNoteAnotherDeviceDeletedIsFreeAgain() throws {
    let phone = try Phone.ofAnn()
    let elsewhere = DocumentContainer(on: phone.device.device)
    try phone.use { app throws in
      write("milk", app)
      #expect(app.share(1, as: "groceries"))
      try elsewhere.remove("groceries")
      write("eggs", app)
      #expect(!app.share(1, as: "groceries"), "what was seen is gone")
      #expect(shared("groceries", app) == nil)
      #expect(app.share(1, as: "groceries"))
    }
    #expect(try elsewhere.read("groceries").bytes == Array("eggs".utf8))
  }

  @Test func onlyWhatWasOpenedIsKept() throws {
    let phone = try Phone.ofAnn()
    let elsewhere = DocumentContainer(on: phone.device.device)
    try elsewhere.write(Array("milk".utf8), to: "groceries")
    try phone.use { app throws in
      #expect(!app.keepCurrent("groceries"))
      #expect(shared("groceries", app) == ["milk"])
      try elsewhere.write(Array("eggs".utf8), to: "groceries")
      #expect(!app.keepCurrent("groceries"), "it is another one by now")
      #expect(shared("groceries", app) == ["eggs"])
      #expect(app.keepCurrent("groceries"))
    }
  }

  @Test func whatAnotherDeviceWroteSinceIsNotOverwritten() throws {
    let phone = try Phone.ofAnn()
    let elsewhere = DocumentContainer(on: phone.device.device)
    try elsewhere.write(Array("eggs".utf8), to: "groceries")
    try phone.use { app throws in
      write("milk", app)
      #expect(!app.share(1, as: "groceries"), "nobody here has seen what it would overwrite")
      #expect(app.takeProblem()?.contains("open it, and try again") == true)
      #expect(app.text(1) == "milk")
      #expect(shared("groceries", app) == ["eggs"])
      try elsewhere.write(Array("bread".utf8), to: "groceries")
      #expect(!app.share(1, as: "groceries"))
      #expect(shared("groceries", app) == ["bread"])
      #expect(app.share(1, as: "groceries"))
    }
    #expect(try elsewhere.read("groceries").bytes == Array("milk".utf8))
  }

  @Test func aNameThatIsNoneLeavesTheNoteWhereItWas() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      write("milk", app)
      #expect(!app.share(1, as: "../groceries"))
      #expect(app.takeProblem()?.contains("notes/today.txt") == true)
      #expect(app.text(1) == "milk")
    }
  }

  @Test func whoIsNotLoggedInHasNoSharedNotes() throws {
    let phone = try Phone.ofAnn()
    try DocumentContainer(on: phone.device.device).write([65], to: "groceries")
    try phone.use { app throws in
      app.logOut()
      #expect(app.sharedNotes == [])
      #expect(shared("groceries", app) == nil)
      #expect(!app.deleteShared("groceries"))
    }
    #expect(try DocumentContainer(on: phone.device.device).documents().count == 1)
  }

  @Test func theAppIsToldOfWhatOthersDidAndNotOfWhatItDid() async throws {
    let phone = try Phone.ofAnn()
    let elsewhere = DocumentContainer(on: phone.device.device)
    let (news, told) = AsyncStream<SharedNews>.makeStream()
    try phone.use { app throws in
      app.onSharedNews { told.yield($0) }
      write("milk", app)
      #expect(app.share(1, as: "groceries"))
    }
    var heard = news.makeAsyncIterator()
    // What was written before the app listens is not told; so write until something is.
    let writing = Task { () throws -> Int in
      var number = 0
      while !Task.isCancelled {
        number += 1
        try elsewhere.write(Array("\(number)".utf8), to: "first")
        await Task.yield()
      }
      return number
    }
    #expect(await heard.next() == .changed("first"))
    writing.cancel()
    _ = try await writing.value
    try elsewhere.remove("groceries")
    var last = await heard.next()
    while last == .changed("first") { last = await heard.next() }
    #expect(last == .removed("groceries"))
  }

  @Test func whatAnotherDeviceChoseCountsHereToo() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      try app.setIdle(seconds: 60)
      #expect(app.followSettings() == nil, "it is the app's own choice")
    }
    try phone.restart()
    try phone.use { app in #expect(app.session.idleLimit == .seconds(60)) }
  }

  @Test(
    arguments: [
      (SyncStatus(stage: .member), .together), (SyncStatus(stage: .joining), .none),
      (SyncStatus(stage: .founding, failure: "it is off"), .troubled(.unreached("it is off"))),
      (SyncStatus(stage: .member, failure: "it is off"), .troubled(.unreached("it is off"))),
      // What it did counts more than that it is not reached now.
      (
        SyncStatus(stage: .member, alarms: ["it lied"], failure: "it is off"),
        .troubled(.doubted(["it lied"]))
      ),
      (SyncStatus(stage: .removed, failure: "it is off"), .troubled(.removed)),
      (SyncStatus(stage: .stateWasChanged), .troubled(.stateWasChanged)),
    ] as [(SyncStatus, Circle)]
  )
  func whatStandsBetweenDevicesIsWhatTheServiceSays(_ status: SyncStatus, _ circle: Circle) {
    #expect(Circle(status) == circle)
  }

  @Test func aDeviceThatIsInNoCircleHasNothingToSayOfOne() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      #expect(try Circle(of: phone.device.device) == .none)
      #expect(app.lookAtCircle() == nil)
    }
  }
}
