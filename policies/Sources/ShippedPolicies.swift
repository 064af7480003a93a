/// The files that are part of LocalAuth.
///
/// Embedded files share one namespace across folders, so a file's stem may differ from its name.
enum ShippedPolicies {
  struct File {
    let kind: PolicyKind
    let name: String
    let stem: String
    let bytes: [UInt8]

    init(_ kind: PolicyKind, _ name: String, stem: String? = nil, _ bytes: [UInt8]) {
      self.kind = kind
      self.name = name
      self.stem = stem ?? name
      self.bytes = bytes
    }

    /// The path below `policies/`.
    var path: String { "\(kind.rawValue)/\(stem).json" }
  }

  static let files = [
    File(.policy, "biometrics", PackageResources.biometrics_json),
    File(.policy, "biometrics-and-passcode", PackageResources.biometrics_and_passcode_json),
    File(.policy, "device-owner", PackageResources.device_owner_json),
    File(.policy, "device-owner-parallel", PackageResources.device_owner_parallel_json),
    File(.policy, "passcode", PackageResources.passcode_json),
    File(.policy, "second-factor", PackageResources.second_factor_json),
    File(.policy, "work-laptop", PackageResources.work_laptop_json),
    File(.lockout, "android", PackageResources.android_json),
    File(.lockout, "apple", PackageResources.apple_json),
    File(.lockout, "faillock", PackageResources.faillock_json),
    File(.lockout, "fido", PackageResources.fido_json),
    File(.lockout, "nist-800-63b", PackageResources.nist_800_63b_json),
    File(.lockout, "three-strikes", PackageResources.three_strikes_json),
    File(.lockout, "tpm", PackageResources.tpm_json),
    File(.passcodeDelay, "apple", stem: "apple-current", PackageResources.apple_current_json),
    File(.passcodeDelay, "apple-2023", PackageResources.apple_2023_json),
    File(.passcodeDelay, "gatekeeper", PackageResources.gatekeeper_json),
    File(.sensor, "android-class-3", PackageResources.android_class_3_json),
    File(.sensor, "fido", stem: "fido-biometric", PackageResources.fido_biometric_json),
    File(.sensor, "goats", PackageResources.goats_json),
    File(.sensor, "nist", PackageResources.nist_json),
    File(.sensor, "standard", PackageResources.standard_json),
    File(.sensor, "v-smart-convenient", PackageResources.v_smart_convenient_json),
    File(.sensor, "v-smart-medium", PackageResources.v_smart_medium_json),
    File(.sensor, "v-smart-secure", PackageResources.v_smart_secure_json),
  ]
}
