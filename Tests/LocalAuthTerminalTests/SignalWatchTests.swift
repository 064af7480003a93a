import CLocalAuthLinux
import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthTerminal

extension OnePrompt {
  @Suite struct SignalWatchTests {
    @Test func turnsSignalsIntoEventsInOrder() throws {
      var watch = try SignalWatch()
      #expect(watch.next() == nil)
      la_signals_send(SIGWINCH)
      la_signals_send(SIGCONT)
      la_signals_send(SIGTERM)
      #expect(isReadable(watch.fileDescriptor))
      #expect(watch.next() == .resize)
      #expect(watch.next() == .resume)
      #expect(watch.next() == .terminate)
      #expect(watch.next() == nil)
      watch.end()
      #expect(watch.next() == nil)
    }

    @Test func resumesAreForgottenAndNothingElse() throws {
      var watch = try SignalWatch()
      for signal in [SIGCONT, SIGWINCH, SIGCONT, SIGTERM] { la_signals_send(signal) }
      watch.dropResumes()
      #expect(watch.next() == .resize)
      #expect(watch.next() == .terminate)
      #expect(watch.next() == nil)
    }

    @Test func givesSignalsTheirOldEffectBack() throws {
      // Under nohup(1) it is ignored already.
      let before = signal(SIGHUP, SIG_IGN)
      defer { signal(SIGHUP, before) }
      do {
        var watch = try SignalWatch()
        la_signals_send(SIGHUP)
        #expect(watch.next() == nil)
      }
      la_signals_send(SIGHUP)
    }

    @Test func knowsEverySignalByItsNumber() {
      for signal in TerminalSignal.allCases {
        #expect(TerminalSignal(number: signal.number) == signal)
      }
      #expect(TerminalSignal(number: SIGUSR1) == nil)
      #expect(TerminalSignal(number: 0) == nil)
    }
  }
}
