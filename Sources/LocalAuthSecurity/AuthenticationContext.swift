package import LocalAuth

/// What a context of the module LocalAuthentication is to this one, which lies below it.
package protocol AuthenticationContext: AnyObject {
  /// The context whose proofs count.
  var authContext: AuthContext { get }
}
