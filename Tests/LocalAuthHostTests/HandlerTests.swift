import LocalAuthWire
import Testing

@testable import LocalAuthHost

@Suite struct HandlerTests {
  /// The service does not start otherwise.
  @Test func everyMethodOfTheTableHasOneHandler() {
    #expect(Handler.all.map(\.method.name).sorted() == Methods.all.map(\.name).sorted())
    #expect(Handler.byName().count == Methods.all.count)
  }
}
