import Foundation
import LoopbackHTTP
import StepUp

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  FileHandle.standardError.write(Data(Options.usage.utf8))
  exit(64)
}
do {
  let issuer = try options.issuer()
  let server = try LoopbackServer(port: options.port)
  let address = "http://127.0.0.1:\(server.port)"
  let gate = StepUpGate(
    audience: options.audience ?? address,
    trusting: [issuer],
    options.requirement
  )
  let service = ReleaseService(behind: gate)
  FileHandle.standardOutput.write(Data("listening on \(address)\n".utf8))
  server.serve(service.answer)
} catch {
  FileHandle.standardError.write(Data("step-up-service: \(error)\n".utf8))
  exit(1)
}
