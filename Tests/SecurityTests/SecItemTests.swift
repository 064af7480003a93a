import LocalAuthTestKit
import Security
import Testing
