import Foundation
import LocalAuthFiles
import NotesCore
import NotesDevice

/// The app on a terminal: shows what the session is like, and takes lines.
final class Program {
  /// What the next line is.
  enum Form: Equatable {
    case nothing
    case name(Touch)
    case password(name: String)
    case newName
    case newPassword(name: String)
    case again(name: String)
    case command
    case text
    case exportPassword(path: String)
    case exportAgain(path: String)
    case importPassword(path: String)
    case filePassword(PasswordReach)
    case filePasswordAgain(PasswordReach)
    case confirmation

    var isHidden: Bool {
      switch self {
      case .password, .newPassword, .again, .exportPassword, .exportAgain, .importPassword,
        .filePassword, .filePasswordAgain:
        true
      case .nothing, .name, .newName, .command, .text, .confirmation: false
      }
    }
  }

  let app: NotesApp
  let terminal: Terminal
  private let wakes: Wakes
  private let news: News
  private let now: () -> Duration
  var form = Form.nothing
  private var shown = Session.View.nothing
  /// A new password, until it was typed again.
  var newPassword = Secret(capacity: 4096)

  init(
    _ app: NotesApp,
    _ terminal: Terminal,
    _ wakes: Wakes,
    _ news: News,
    _ now: @escaping () -> Duration
  ) {
    self.news = news
    self.app = app
    self.terminal = terminal
    self.wakes = wakes
    self.now = now
    app.wiped = { terminal.clear() }
  }

  /// Runs until the person ends it.
  func run() {
    app.start()
    var isGoingOn = true
    while isGoingOn {
      showChange()
      let rest = app.session.idleEnd.map { $0 - now() }
      switch terminal.read(question, wakes, isHidden: form.isHidden, within: rest) {
      case .line:
        app.use()
        isGoingOn = take()
      case .end: isGoingOn = false
      case .late: leaving { app.passTime() }
      case .woken: while isGoingOn, let wake = wakes.next() { isGoingOn = hear(wake) }
      }
    }
    leaving { app.logOut() }
    terminal.show("\n")
    terminal.restore()
  }

  // MARK: What happens

  private func hear(_ wake: Wake) -> Bool {
    switch wake {
    case .willBecomeUnavailable: leaving { app.heard(.willBecomeUnavailable) }
    case .didBecomeAvailable: app.heard(.didBecomeAvailable)
    case .shared: for news in news.take() where app.session.isOpen { terminal.show(Words.of(news)) }
    case .settings:
      if let seconds = app.followSettings() { terminal.show(Words.idle(seconds)) }
    case .stop:
      leaving { app.switchAway() }
      terminal.restore()
      kill(getpid(), SIGSTOP)
      // Somebody has come back.
      shown = .nothing
      app.start()
    case .end: return false
    }
    return true
  }

  /// A line that was begun is unsaved text too; of a password nothing is left.
  func leaving(_ body: () -> Void) {
    terminal.takeRest()
    if form == .text, terminal.line.count > 0 { writeLine() }
    newPassword.removeAll()
    body()
  }

  // MARK: Showing

  /// Shows the screen if it changed.
  private func showChange() {
    if let problem = app.takeProblem() { terminal.show("\(problem)\n") }
    let view = app.session.view
    if view != shown || form == .nothing {
      let isNew = shown != view
      shown = view
      if isNew { showScreen(view) }
      begin(view)
    }
    if form == .command, let news = app.lookAtCircle() { terminal.show(Words.of(news)) }
  }

  private func showScreen(_ view: Session.View) {
    terminal.show("\n")
    switch view {
    case .grey(let obstacle): terminal.showGrey("Notes\n\n\(Words.of(obstacle))")
    case .nothing, .firstStart, .newPhone, .login: terminal.show(Words.of(view))
    case .notes:
      terminal.show(Words.of(view))
      if app.cameIn > 0 { terminal.show("Came in while nobody was logged in: \(app.cameIn)\n") }
      list()
    }
  }

  private func begin(_ view: Session.View) {
    switch view {
    case .nothing, .grey: form = .nothing
    case .firstStart: form = .newName
    case .newPhone(let name): form = .newPassword(name: name)
    case .login(_, let touch, _): form = .name(touch)
    case .notes:
      form = app.hasUnsavedText ? .text : .command
      guard form == .text else { return }
      terminal.show(Words.draft)
      app.readUnsaved { terminal.show(text: $0) }
    }
  }

  private var question: String {
    switch form {
    case .nothing, .text: ""
    case .name(let touch): Words.login(touch)
    case .newName: "Name: "
    case .password: "Password: "
    case .newPassword: "New password, 8 characters or more: "
    case .again, .exportAgain, .filePasswordAgain: "Once more: "
    case .command: "> "
    case .exportPassword, .importPassword: Words.filePassword(isRemembered: isRemembered)
    case .filePassword: "Password of files: "
    case .confirmation: "Delete account and notes for good? Type yes: "
    }
  }

  func list() {
    let shared = app.sharedNotes
    if app.numbers.isEmpty && shared.isEmpty { terminal.show(Words.noNotes) }
    for number in app.numbers {
      terminal.show("\(number)  ")
      if !app.read(number, { terminal.show(text: $0, lines: 1) }) { tellProblem() }
    }
    for note in shared { terminal.show(Words.of(note)) }
  }

  // MARK: Lines

  /// Does what a line says; whether the program goes on.
  private func take() -> Bool {
    // What may be a note is no word of a command.
    if form == .command, terminal.line.begins(with: "new ") {
      terminal.show(Words.newTakesNoWords)
      return true
    }
    let words = form.isHidden || form == .text ? "" : terminal.line.words
    switch form {
    case .nothing: return words != "quit"
    case .name: takeName(words)
    case .newName: if !words.isEmpty { form = .newPassword(name: words) }
    case .password(let name):
      // Whatever comes is shown, also the same once more.
      shown = .nothing
      app.logIn(name: name, password: terminal.line)
    case .newPassword(let name): takeNewPassword(name)
    case .again(let name): takeAgain(name)
    case .command: return command(words)
    case .text: takeText()
    case .exportPassword(let path): takeExportPassword(path)
    case .exportAgain(let path): report { try export(to: path) }
    case .importPassword(let path): report { try bring(from: path) }
    case .filePassword(let reach): takeFilePassword(reach)
    case .filePasswordAgain(let reach): report { try remember(on: reach) }
    case .confirmation: confirm(words)
    }
    return true
  }

  private func takeName(_ words: String) {
    guard words.isEmpty else {
      form = .password(name: words)
      return
    }
    shown = .nothing
    app.logInByTouch()
  }

  private func takeNewPassword(_ name: String) {
    guard terminal.line.count >= 8 else { return terminal.show("That is too short.\n") }
    newPassword = terminal.line.copy
    form = .again(name: name)
  }

  private func takeAgain(_ name: String) {
    defer { newPassword.removeAll() }
    guard terminal.line.isEqual(to: newPassword) else {
      terminal.show("The two passwords differ.\n")
      form = .newPassword(name: name)
      return
    }
    app.createAccount(name: name, password: newPassword)
  }

  private func takeText() {
    if terminal.line.says(".") {
      form = .nothing
      if !app.hasUnsavedText { terminal.show("Nothing was written.\n") }
      if let number = app.save() { terminal.show("Saved as note \(number).\n") }
    } else if terminal.line.says(".drop") {
      form = .nothing
      app.drop()
      terminal.show("Dropped.\n")
    } else {
      writeLine()
    }
  }

  private func writeLine() {
    var line = Secret(capacity: terminal.line.count + 1)
    if app.hasUnsavedText { _ = line.append(UInt8(ascii: "\n")) }
    line.append(contentsOf: terminal.line)
    if !app.write(line) { terminal.show("The note would be too long: save it.\n") }
  }
}
