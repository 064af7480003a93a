import NotesCore
import NotesDevice

/// What the program says.
enum Words {
  static let usage = """
    usage: notes [--home DIRECTORY]            keep notes
           notes [--home DIRECTORY] receive    put what comes on standard input into the inbox
    """

  static let help = """
    new           write a note
    list          show the first lines
    read 2        show a note
    delete 2      delete it
    share 2 NAME  give note 2 to all your devices
    open NAME     show a shared note
    keep NAME     of what two devices wrote, keep what 'open' shows first
    unshare NAME  delete a shared note on all devices
    export FILE   write all notes but the shared ones (*) to a file that a password opens
    import FILE   add the notes of such a file
    remember      keep that password for your other programs, such as notes-open, on all devices
    remember here keep it on this device alone
    forget        delete it on all devices
    idle 60       log out after that many seconds without a key, on all devices
    device        show this device's number
    reset         delete account and notes
    logout        log out
    quit          end the program

    """

  static let writing = "Write. A line with one dot saves the note, one with '.drop' drops it.\n"

  static let draft = "Your draft. Go on writing: a line with one dot saves it, '.drop' drops it.\n"

  static let noNotes = "No notes yet: 'new' writes one, and 'help' shows what else can be typed.\n"

  static let newTakesNoWords = "Type 'new' alone; the note comes in the lines behind it.\n"

  static func unknown(_ word: String) -> String {
    "There is no command '\(word)': 'help' shows those that there are.\n"
  }

  static func filePassword(isRemembered: Bool) -> String {
    isRemembered
      ? "Password of the file, or Enter for the remembered one: " : "Password of the file: "
  }

  static func remembered(_ reach: PasswordReach) -> String {
    switch reach {
    case .allDevices:
      "Your programs of the group have it now, on all devices of your circle: notes-open FILE shows a file.\n"
    case .thisDevice:
      "Your programs of the group have it now, on this device alone: notes-open FILE shows a file.\n"
    }
  }

  /// A screen, but for what is listed on it.
  static func of(_ view: Session.View) -> String {
    switch view {
    case .nothing, .grey: ""
    case .firstStart: "Notes\n\nNobody has an account here yet. Choose a name and a password.\n"
    case .newPhone(let name):
      """
      Notes of \(name)

      The account came with a backup. What opens it did not, because it is
      bound to the other device. Nor did the notes, whose keys never leave a
      device: bring them with 'export' there and 'import' here.
      Choose a new password.

      """
    case .login(let name, let touch, let notice):
      "Notes of \(name)\n\n" + (notice.flatMap { of($0) } ?? "") + (of(touch) ?? "")
    case .notes(let name, let hasPasscode): "Notes of \(name)\n\n" + (hasPasscode ? "" : unguarded)
    }
  }

  private static let unguarded = """
    The device has no passcode: it is never locked, and whoever has it can read
    the files of the notes.

    """

  private static let passwordOpens = "The password of the notes opens them all the same.\n"

  /// A shared note in the list.
  static func of(_ note: SharedNote) -> String {
    "*  \(note.name)\(note.isInConflict ? " (two devices wrote it: 'open' shows both)" : "")\n"
  }

  /// What is in the file of an export, and what is not.
  static func of(_ exported: ExportedNotes, in path: String, hasShared: Bool) -> String {
    let count = exported.count
    var words = count == 1 ? "1 note is in \(path).\n" : "\(count) notes are in \(path).\n"
    for reason in exported.leftOut { words += "Left out: \(reason)\n" }
    if hasShared {
      words += "Shared notes are not in it: the circle or a backup brings them to other devices.\n"
    }
    return words
  }

  /// What somebody else did.
  static func of(_ news: SharedNews) -> String {
    switch news {
    case .changed(let name): "\nChanged elsewhere: \(name)\n"
    case .removed(let name): "\nDeleted elsewhere: \(name)\n"
    }
  }

  /// What became of a note that is shared now.
  static func shared(_ name: String, _ circle: Circle) -> String {
    switch circle {
    case .together: "All your devices have it as '\(name)'.\n"
    case .none:
      "It is shared as '\(name)'. This device is in no circle, so that no other one has it yet.\n"
    case .troubled(.unreached): "Your other devices get it as '\(name)' once the hub is reached.\n"
    case .troubled(.doubted):
      "It is shared as '\(name)', and goes to no other device until the hub is believed again.\n"
    case .troubled(.removed), .troubled(.stateWasChanged):
      "It is shared as '\(name)', and goes to no other device until this one joins again.\n"
    }
  }

  /// What is new between the person's devices.
  static func of(_ news: CircleNews) -> String {
    switch news {
    case .over: "\nYour devices share again.\n"
    case .trouble(.unreached(let reason)):
      "\nShared notes stay on this device for now. About the hub: \(reason).\n"
    case .trouble(.doubted(let deeds)):
      "\nThe hub of your devices is not believed:\n" + deeds.map { "  \($0)\n" }.joined()
        + "Nothing is deleted here. Shared notes can be read and written, and stay on this device.\n"
        + "'authctl sync status' says what to do.\n"
    case .trouble(.removed):
      "\nAnother device removed this one: shared notes stay as they are here. 'authctl sync status' says more.\n"
    case .trouble(.stateWasChanged):
      "\nWhat this device kept of its circle was changed or put back: shared notes stay as they are here.\n"
        + "'authctl sync status' says more.\n"
    }
  }

  /// What another device chose.
  static func idle(_ seconds: Int) -> String {
    "\nAnother device chose: logged out after \(seconds) seconds without a key.\n"
  }

  static func conflict(_ name: String) -> String {
    "\n-- and at the same time another device wrote ('keep \(name)' drops it):\n"
  }

  /// Why everything is grey.
  static func of(_ obstacle: Obstacle) -> String {
    switch obstacle {
    case .beforeFirstUnlock:
      "The device was not unlocked since it started. Notes can be read once it is."
    case .locked: "The device is locked. Notes can be read once it is unlocked."
    case .unreachable:
      "Nobody says whether the device is locked. Notes can be read once somebody does."
    }
  }

  private static func of(_ touch: Touch) -> String? {
    switch touch {
    case .ready, .unusable: nil
    case .noPasscode:
      "The device has no passcode, so that no finger opens the notes.\nLog in with the password.\n"
    case .throttled(let wait?):
      "Too many wrong passcodes: the next one is judged in \(wait.inWords).\n\(passwordOpens)"
    case .throttled(nil):
      "Too many wrong passcodes: the device judges none any more.\n\(passwordOpens)"
    case .lockedOut:
      "Too many misses: press Enter, and the passcode of the device opens the notes.\n"
    case .gone:
      "The fingers or the passcode of the device changed. Log in with the password once.\n"
    }
  }

  private static func of(_ notice: Session.Notice) -> String? {
    switch notice {
    case .wrong(let times): "Name or password is wrong (\(times) in a row).\n"
    case .touchGone: nil
    case .canceled: "Nobody was recognized.\n"
    case .wrongPasscode: "The passcode was wrong.\n"
    case .loggedOut: "Logged out.\n"
    case .idle: "Logged out: nobody typed for a while.\n"
    case .switchedAway: "Logged out: you turned to something else.\n"
    case .failed(let words): "That failed: \(words)\n"
    }
  }

  /// What is asked for a name at a login.
  static func login(_ touch: Touch) -> String {
    switch touch {
    case .ready: "Name, or Enter for a touch: "
    case .lockedOut: "Name, or Enter for the passcode: "
    case .throttled(.some): "Name, or Enter to look again: "
    case .throttled(nil), .gone, .noPasscode, .unusable: "Name: "
    }
  }
}
