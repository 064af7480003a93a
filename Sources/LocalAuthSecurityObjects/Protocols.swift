// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthSecurity

// Values of `kSecAttrProtocol` and `kSecAttrAuthenticationType`: four letters, padded with spaces.

/// `kSecAttrProtocolFTP` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolFTP: NSString {
  LocalAuthSecurity.kSecAttrProtocolFTP as NSString
}
/// `kSecAttrProtocolFTPAccount` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolFTPAccount: NSString {
  LocalAuthSecurity.kSecAttrProtocolFTPAccount as NSString
}
/// `kSecAttrProtocolHTTP` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolHTTP: NSString {
  LocalAuthSecurity.kSecAttrProtocolHTTP as NSString
}
/// `kSecAttrProtocolIRC` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolIRC: NSString {
  LocalAuthSecurity.kSecAttrProtocolIRC as NSString
}
/// `kSecAttrProtocolNNTP` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolNNTP: NSString {
  LocalAuthSecurity.kSecAttrProtocolNNTP as NSString
}
/// `kSecAttrProtocolPOP3` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolPOP3: NSString {
  LocalAuthSecurity.kSecAttrProtocolPOP3 as NSString
}
/// `kSecAttrProtocolSMTP` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolSMTP: NSString {
  LocalAuthSecurity.kSecAttrProtocolSMTP as NSString
}
/// `kSecAttrProtocolSOCKS` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolSOCKS: NSString {
  LocalAuthSecurity.kSecAttrProtocolSOCKS as NSString
}
/// `kSecAttrProtocolIMAP` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolIMAP: NSString {
  LocalAuthSecurity.kSecAttrProtocolIMAP as NSString
}
/// `kSecAttrProtocolLDAP` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolLDAP: NSString {
  LocalAuthSecurity.kSecAttrProtocolLDAP as NSString
}
/// `kSecAttrProtocolAppleTalk` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolAppleTalk: NSString {
  LocalAuthSecurity.kSecAttrProtocolAppleTalk as NSString
}
/// `kSecAttrProtocolAFP` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolAFP: NSString {
  LocalAuthSecurity.kSecAttrProtocolAFP as NSString
}
/// `kSecAttrProtocolTelnet` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolTelnet: NSString {
  LocalAuthSecurity.kSecAttrProtocolTelnet as NSString
}
/// `kSecAttrProtocolSSH` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolSSH: NSString {
  LocalAuthSecurity.kSecAttrProtocolSSH as NSString
}
/// `kSecAttrProtocolFTPS` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolFTPS: NSString {
  LocalAuthSecurity.kSecAttrProtocolFTPS as NSString
}
/// `kSecAttrProtocolHTTPS` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolHTTPS: NSString {
  LocalAuthSecurity.kSecAttrProtocolHTTPS as NSString
}
/// `kSecAttrProtocolHTTPProxy` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolHTTPProxy: NSString {
  LocalAuthSecurity.kSecAttrProtocolHTTPProxy as NSString
}
/// `kSecAttrProtocolHTTPSProxy` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolHTTPSProxy: NSString {
  LocalAuthSecurity.kSecAttrProtocolHTTPSProxy as NSString
}
/// `kSecAttrProtocolFTPProxy` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolFTPProxy: NSString {
  LocalAuthSecurity.kSecAttrProtocolFTPProxy as NSString
}
/// `kSecAttrProtocolSMB` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolSMB: NSString {
  LocalAuthSecurity.kSecAttrProtocolSMB as NSString
}
/// `kSecAttrProtocolRTSP` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolRTSP: NSString {
  LocalAuthSecurity.kSecAttrProtocolRTSP as NSString
}
/// `kSecAttrProtocolRTSPProxy` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolRTSPProxy: NSString {
  LocalAuthSecurity.kSecAttrProtocolRTSPProxy as NSString
}
/// `kSecAttrProtocolDAAP` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolDAAP: NSString {
  LocalAuthSecurity.kSecAttrProtocolDAAP as NSString
}
/// `kSecAttrProtocolEPPC` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolEPPC: NSString {
  LocalAuthSecurity.kSecAttrProtocolEPPC as NSString
}
/// `kSecAttrProtocolIPP` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolIPP: NSString {
  LocalAuthSecurity.kSecAttrProtocolIPP as NSString
}
/// `kSecAttrProtocolNNTPS` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolNNTPS: NSString {
  LocalAuthSecurity.kSecAttrProtocolNNTPS as NSString
}
/// `kSecAttrProtocolLDAPS` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolLDAPS: NSString {
  LocalAuthSecurity.kSecAttrProtocolLDAPS as NSString
}
/// `kSecAttrProtocolTelnetS` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolTelnetS: NSString {
  LocalAuthSecurity.kSecAttrProtocolTelnetS as NSString
}
/// `kSecAttrProtocolIMAPS` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolIMAPS: NSString {
  LocalAuthSecurity.kSecAttrProtocolIMAPS as NSString
}
/// `kSecAttrProtocolIRCS` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolIRCS: NSString {
  LocalAuthSecurity.kSecAttrProtocolIRCS as NSString
}
/// `kSecAttrProtocolPOP3S` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocolPOP3S: NSString {
  LocalAuthSecurity.kSecAttrProtocolPOP3S as NSString
}
/// `kSecAttrAuthenticationTypeNTLM` as an `NSString`.
@_disfavoredOverload public var kSecAttrAuthenticationTypeNTLM: NSString {
  LocalAuthSecurity.kSecAttrAuthenticationTypeNTLM as NSString
}
/// `kSecAttrAuthenticationTypeMSN` as an `NSString`.
@_disfavoredOverload public var kSecAttrAuthenticationTypeMSN: NSString {
  LocalAuthSecurity.kSecAttrAuthenticationTypeMSN as NSString
}
/// `kSecAttrAuthenticationTypeDPA` as an `NSString`.
@_disfavoredOverload public var kSecAttrAuthenticationTypeDPA: NSString {
  LocalAuthSecurity.kSecAttrAuthenticationTypeDPA as NSString
}
/// `kSecAttrAuthenticationTypeRPA` as an `NSString`.
@_disfavoredOverload public var kSecAttrAuthenticationTypeRPA: NSString {
  LocalAuthSecurity.kSecAttrAuthenticationTypeRPA as NSString
}
/// `kSecAttrAuthenticationTypeHTTPBasic` as an `NSString`.
@_disfavoredOverload public var kSecAttrAuthenticationTypeHTTPBasic: NSString {
  LocalAuthSecurity.kSecAttrAuthenticationTypeHTTPBasic as NSString
}
/// `kSecAttrAuthenticationTypeHTTPDigest` as an `NSString`.
@_disfavoredOverload public var kSecAttrAuthenticationTypeHTTPDigest: NSString {
  LocalAuthSecurity.kSecAttrAuthenticationTypeHTTPDigest as NSString
}
/// `kSecAttrAuthenticationTypeHTMLForm` as an `NSString`.
@_disfavoredOverload public var kSecAttrAuthenticationTypeHTMLForm: NSString {
  LocalAuthSecurity.kSecAttrAuthenticationTypeHTMLForm as NSString
}
/// `kSecAttrAuthenticationTypeDefault` as an `NSString`.
@_disfavoredOverload public var kSecAttrAuthenticationTypeDefault: NSString {
  LocalAuthSecurity.kSecAttrAuthenticationTypeDefault as NSString
}
