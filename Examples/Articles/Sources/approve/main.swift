import Glibc
import LocalAuth

/// A user interface of the program's own: it shows what is asked, and leaves the answer to the sensor.
struct Lines: Prompting {
  func show(_ event: PromptEvent, in conversation: PromptConversation) {
    guard case .prompt(let prompt) = event else { return }
    let left = prompt.attemptsLeft.map { " (\($0) tries left)" } ?? ""
    print("\(prompt.reason): \(prompt.action ?? "")?\(left)")
  }
}

// The program names the device, so that a simulated success counts. `AuthContext()` is the user's own machine.
let context = AuthContext(device: Device("demo"))
context.prompter = .custom(Lines())
do {
  let evaluation = try await context.evaluate(
    .deviceOwner,
    reason: "Deploy to production",
    action: "deploy release 42"
  )
  print("Deploying after \(evaluation.attempts) attempts.")
} catch .userCancel {
  print("Not now.")
  exit(3)
} catch {
  print("Nothing was deployed. \(error)")
  exit(1)
}
