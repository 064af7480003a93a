import Glibc
import LocalAuthUnix
import Testing

@Suite struct SystemErrorTests {
  @Test func namesTheCallTheSubjectAndTheReason() {
    let error = SystemError("bind", code: EADDRINUSE, subject: "/run/x")
    #expect(error.description == "bind /run/x: Address already in use")
  }

  @Test func describesAnErrorWithoutASubject() {
    #expect(SystemError("mmap", code: ENOMEM).description == "mmap: Cannot allocate memory")
  }

  @Test func describesANumberThatNobodyKnows() {
    #expect(SystemError("x", code: 99_999).description == "x: Unknown error 99999")
  }
}
