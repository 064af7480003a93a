import LocalAuthCore
import LocalAuthCrypto
import LocalAuthPolicies
import LocalAuthPolicyFiles
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// The authenticators that are programs of their own, as the administrator's manifests name them.
///
/// A real one belongs to the users' own machines, a simulated one to simulated devices: a guess at
/// the real one through a device that anybody can create would be one that nobody counts.
final class AuthenticatorPrograms {
  /// Called when what can be asked changed.
  var onChange: () -> Void = {}
  private let directories: [String]
  private let place: ProgramPlace?
  private unowned let loop: EventLoop
  private var random = RandomPool()
  private var programs: [AuthenticatorProgram] = []
  /// What is wrong with the manifests, one line each.
  private(set) var problems: [String] = []

  /// Creates the programs of the manifests in `directories`; without a place none runs.
  init(in directories: [String], at place: ProgramPlace?, on loop: EventLoop) {
    self.directories = directories
    self.place = place
    self.loop = loop
    read()
  }

  /// Reads the manifests anew; programs whose manifest stays the same go on.
  func read() {
    guard let place else { return }
    let files = AuthenticatorFiles(in: directories)
    problems = files.problems
    let kept = programs.filter { files.entries.contains($0.entry) }
    for program in programs where !kept.contains(where: { $0 === program }) {
      program.onChange = {}
      program.close()
    }
    programs = files.entries.map { entry in
      if let known = kept.first(where: { $0.entry == entry }) { return known }
      let program = AuthenticatorProgram(entry, at: place, on: loop)
      program.onChange = { [weak self] in self?.onChange() }
      program.start()
      return program
    }
    onChange()
  }

  /// The authenticators of a device.
  func authenticators(of device: DeviceIdentity) -> [any Authenticator] {
    let isSimulated = device.name != DeviceIdentity.defaultName
    let chosen = programs.filter { $0.manifest.isSimulated == isSimulated }
    guard !chosen.isEmpty, let user = UserAccount.name(of: device.owner) else { return [] }
    return chosen.map { program in
      program.whenSettled(for: user) {}
      let judge =
        program.manifest.kind == .fingerprint ? ProgramReader.self : ProgramAuthenticator.self
      return judge.init(program, for: user, on: loop) { [self] in
        EvaluationID(high: random.next(), low: random.next()).text
      }
    }
  }

  /// Describes all of them, with what the account of `uid` has enrolled, once that is known.
  func describe(for uid: UInt32, _ body: @escaping ([AuthenticatorListMessages.Line]) -> Void) {
    let user = UserAccount.name(of: uid)
    settle(programs[...], for: user) { [self] in body(lines(for: user)) }
  }

  private func settle(
    _ rest: ArraySlice<AuthenticatorProgram>,
    for user: String?,
    _ body: @escaping () -> Void
  ) {
    guard let user, let first = rest.first else { return body() }
    first.whenSettled(for: user) { [self] in settle(rest.dropFirst(), for: user, body) }
  }

  private func lines(for user: String?) -> [AuthenticatorListMessages.Line] {
    programs.map { program in
      var line = AuthenticatorListMessages.Line(program)
      line.enrolled = user.flatMap(program.enrolled).map { Int64($0) }
      switch place {
      case .sockets(let directory): line.program = "\(directory)/\(program.manifest.name)"
      case .children(let home):
        line.directory = home.directory.path(
          of: "\(StateDirectory.authenticatorsName)/\(program.manifest.name)"
        )
      case nil: break
      }
      return line
    }
  }

  /// Ends every program.
  func shutDown() {
    for program in programs {
      program.onChange = {}
      program.close()
    }
    programs = []
  }
}

extension AuthenticatorListMessages.Line {
  fileprivate init(_ program: AuthenticatorProgram) {
    self.init()
    let manifest = program.manifest
    name = manifest.name
    summary = manifest.summary
    kind = manifest.kind.name
    evidence = manifest.kind.evidence.rawValue
    asks = manifest.asking.rawValue
    amr = manifest.reference
    simulated = manifest.isSimulated
    self.program = manifest.program
    file = program.entry.file
    state = program.word
    message = program.message
  }
}
