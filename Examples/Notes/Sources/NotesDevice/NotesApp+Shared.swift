import LocalAuth
import LocalAuthDocuments
import LocalAuthFiles
import NotesCore

/// Notes that the person's other devices have too.
extension NotesApp {
  /// The shared notes, by their names.
  public var sharedNotes: [SharedNote] {
    var found: [SharedNote] = []
    _ = sharing { (shared) throws(DocumentFailure) in found = try shared.list() }
    return found
  }

  /// Makes a shared note of a note of this device, over the shared note of this name that was read here.
  ///
  /// - Returns: false if that failed, and then `problem` says why; the note is where it was.
  public func share(_ number: Int, as name: String) -> Bool {
    var isShared = false
    let isThere = read(number) { text in
      isShared = sharing { (shared) throws(DocumentFailure) in try shared.write(text, name) }
    }
    return isThere && isShared && delete(number)
  }

  /// Lends the versions of a shared note to `body`: the one that stands, and those that were written at the same time.
  public func readShared(_ name: String, _ body: (borrowing Secret) -> Void) -> Bool {
    sharing { (shared) throws(DocumentFailure) in try shared.read(name, body) }
  }

  /// Lets what stands of a shared note be the note, on all devices.
  public func keepCurrent(_ name: String) -> Bool {
    sharing { (shared) throws(DocumentFailure) in try shared.keepCurrent(name) }
  }

  /// Deletes a shared note on all devices.
  public func deleteShared(_ name: String) -> Bool {
    sharing { (shared) throws(DocumentFailure) in try shared.remove(name) }
  }

  /// Calls `body`, on another thread, with what other devices and programs did to shared notes.
  public func onSharedNews(_ body: @escaping @Sendable (SharedNews) -> Void) {
    shared.onChange { change in
      switch change {
      // There is nothing to say of it: whoever looks sees what there is.
      case .all: break
      case .changed(let document): body(.changed(document.name))
      case .removed(let name): body(.removed(name))
      }
    }
  }

  /// Looks how this device stands with the person's others, which asks no hub.
  ///
  /// - Returns: what is to be told of it.
  public func lookAtCircle() -> CircleNews? {
    // Who cannot be asked has nothing new to say.
    (try? Circle(of: device)).flatMap { session.looked(at: $0) }
  }

  private func sharing(_ body: (inout SharedNotes) throws(DocumentFailure) -> Void) -> Bool {
    guard session.isOpen else { return false }
    do throws(DocumentFailure) {
      try body(&shared)
      return true
    } catch {
      problem =
        switch error {
        case .busy: "Another device wrote it since: open it, and try again."
        default: "\(error)"
        }
      return false
    }
  }
}

/// What somebody else did to a shared note.
public enum SharedNews: Equatable, Sendable {
  /// It was written, here or elsewhere.
  case changed(String)
  /// It was deleted on all devices.
  case removed(String)
}

extension Circle {
  /// How `device` stands.
  init(of device: Device) throws(AuthError) {
    guard let status = try device.syncStatus() else {
      self = .none
      return
    }
    self.init(status)
  }

  init(_ status: SyncStatus) {
    switch status.stage {
    case .removed: self = .troubled(.removed)
    case .stateWasChanged: self = .troubled(.stateWasChanged)
    case .founding, .joining, .member:
      if !status.alarms.isEmpty {
        self = .troubled(.doubted(status.alarms))
      } else if let failure = status.failure {
        self = .troubled(.unreached(failure))
      } else {
        self = status.stage == .member ? .together : .none
      }
    }
  }
}
