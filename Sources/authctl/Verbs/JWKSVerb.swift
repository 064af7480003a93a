import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthWire

/// `authctl jwks`.
enum JWKSVerb {
  /// The action on the keys.
  enum Act: String, CaseIterable, ExpressibleByArgument {
    case show
    case rotate
  }

  static let simulated = Flag(
    "simulated",
    help: "the keys of simulated devices, whatever device is named"
  )
  static let act = Argument<Act?>("ACT", help: "show the keys, or replace them first")

  static let command = Command(
    "jwks",
    abstract: "Print the public keys that verify assertions.",
    discussion: """
      Prints a JSON Web Key Set and its issuer. Give it to services that are to believe your
      assertions. Simulated devices have an issuer and keys of their own, which --device with one of
      them prints too: no service but a test's should have these. The act 'rotate' replaces the key that signs; the one before stays in the
      set until what it signed has expired.

        authctl jwks > keys.json
        authctl jwks rotate
      """,
    arguments: [act.declaration],
    options: [simulated.declaration]
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    var call = AssertionMessages.KeysCall()
    call.simulated = try isSimulated(context)
    let reply: AssertionMessages.KeysReply
    switch context.arguments[act] ?? .show {
    case .show: reply = try context.call(Methods.assertionKeys, call)
    case .rotate: reply = try context.call(Methods.rotateAssertionKey, call)
    }
    return report(reply)
  }

  /// Whether the issuer of simulated devices is meant: by its flag, or by a device that may count.
  private static func isSimulated(_ context: VerbContext) throws(Failure) -> Bool {
    guard !context.arguments[simulated] else { return true }
    let device = try context.device()
    guard device.name != nil, device.allowsSimulated else { return false }
    return try context.call(Methods.status, DeviceVerbs.call(device)).device.simulated
  }

  static func report(_ reply: AssertionMessages.KeysReply) -> Report {
    var bytes: [UInt8] = []
    // Writing fails only for non-finite numbers, and there are none.
    try? JSONWriter.write(into: &bytes) { writer in
      writer.beginObject()
      write(reply, to: &writer)
      writer.endObject()
    }
    let count = reply.keys.count
    return Report(
      CountText.of(count, "key") + ".",
      answer: [String(decoding: bytes, as: UTF8.self)]
    ) { write(reply, to: &$0) }
  }

  private static func write(
    _ reply: AssertionMessages.KeysReply,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("issuer", reply.issuer)
    writer.member("keys", reply.keys) { key, writer in
      writer.member("kty", key.kty)
      writer.member("crv", key.crv)
      writer.member("x", key.x)
      writer.member("kid", key.kid)
      writer.member("use", key.use)
      writer.member("alg", key.alg)
    }
  }
}
