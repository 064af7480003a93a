import LocalAuthCore
import Testing

@testable import LocalAuthAnalysis

/// When people log in.
@Suite struct CalendarTests {
  @Test(arguments: [1, 7, 10, 1000] as [UInt32])
  func theNextLoginIsTheFirstThatBeginsNoEarlier(_ logins: UInt32) {
    let calendar = Calendar(Cases.habits(logins: logins))
    let all = (0..<3 as Range<UInt32>).flatMap { day in
      (0..<logins).map { calendar.start(of: $0, on: day) }
    }
    #expect(calendar.login(from: 0) == all[0])
    for (login, next) in zip(all, all.dropFirst()) {
      #expect(calendar.login(from: login) == login)
      #expect(calendar.login(from: login + 1) == next && calendar.login(from: next - 1) == next)
    }
  }
}
