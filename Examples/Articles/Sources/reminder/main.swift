import LocalAuth
import LocalAuthEmbedded

/// The program's own user interface, which knows the answer; one of yours asks somebody.
struct Interface: Prompting {
  func show(_ event: PromptEvent, in conversation: PromptConversation) {
    guard case .prompt(let prompt) = event, let question = prompt.question else { return }
    print("\(question.text) to \(prompt.items?.text ?? prompt.reason)")
    conversation.answer(prompt, with: Secret(copying: "2468".utf8))
  }
}

// The engine is in this process: no daemon, no file. The device ends with the process.
var setup = DeviceSetup()
setup.hasSensor = false
let ephemeral = try EphemeralDevice(setup, passcode: Secret(copying: "2468".utf8))
let context = AuthContext(device: ephemeral.device)
context.prompter = .custom(Interface())

let keychain = Keychain(context: context, service: "notes")
let access = try AccessControl(.whenUnlocked, flags: .devicePasscode)
try await keychain.set("buy milk", for: "today", accessControl: access)
print("Kept.")
print(try await keychain.string(for: "today", reason: "read the note") ?? "There is none.")
// The same context, item and operation: nobody is asked twice.
print(try await keychain.string(for: "today", reason: "read the note") ?? "There is none.")
