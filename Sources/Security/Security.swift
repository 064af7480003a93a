@_exported public import Foundation
@_exported public import LocalAuthSecurity
@_exported public import LocalAuthSecurityObjects
