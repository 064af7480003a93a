import LocalAuthCore

/// `authctl hub remove-circle`: what nobody uses any more.
extension HubVerbs {
  private static let circle = Argument<String>(
    "CIRCLE",
    help: "the circle, by its number in 'hub status' or how its devices name it"
  )

  static let removeCircle = Command(
    "remove-circle",
    abstract: "Remove a circle with all that it has.",
    discussion: """
      Ends the roles of its devices and their sessions, and deletes all rows of it, in one transaction. Its devices keep
      what they have, and say that the hub does not let them in. Nothing of it comes back but from a backup.

        authctl hub remove-circle 7 "host=/run/postgresql dbname=localauth"
      """,
    arguments: [circle.declaration, connection.declaration],
    options: [Confirmation.yes.declaration]
  ) { (context) throws(Failure) in try remove(context) }

  private static func remove(_ context: VerbContext) throws(Failure) -> Report {
    let program = try HubProgram(context)
    let meant = try circle(context.arguments[circle], in: try program.run("status"))
    // Without a terminal nobody could be asked, and what is deleted is gone.
    guard context.arguments[Confirmation.yes] || context.canAsk else {
      throw Failure(.usage, "\(meant.sentence) Give --yes to have it removed without a question.")
    }
    try context.confirm(meant.sentence)
    let lines = try program.run("remove-circle", "\(meant.number)")
    return lines.report("Circle \(meant.number) was removed.")
  }

  /// The circle that is meant; its name may be cut short where no other one begins so.
  private static func circle(_ text: String, in lines: HubLines) throws(Failure) -> HubCircle {
    let circles = lines.circles
    if let exact = circles.first(where: { "\($0.number)" == text }) { return exact }
    let found = circles.filter { $0.name?.hasPrefix(text.lowercased()) ?? false }
    guard text.utf8.count >= 8, let only = found.first else {
      throw Failure(.itemNotFound, "The hub has no circle \(text): 'authctl hub status' shows all.")
    }
    guard found.count == 1 else {
      throw Failure(.usage, "\(found.count) circles are named so: give its number.")
    }
    return only
  }
}
