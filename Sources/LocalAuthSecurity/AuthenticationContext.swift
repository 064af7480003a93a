package import LocalAuth

/// A context of the LocalAuthentication module, as seen from this module, which lies below it.
package protocol AuthenticationContext: AnyObject {
  /// The underlying context, whose proofs open items.
  var authContext: AuthContext { get }
}
