// Types of lower modules that appear in this module's API, so that one import is enough.
@_exported public import struct LocalAuth.Device
@_exported public import enum LocalAuthFileFormat.FileAccess
@_exported public import enum LocalAuthFileFormat.ProtectedFileError
@_exported public import enum LocalAuthKeychain.FileProtection
@_exported public import struct LocalAuthSecret.Secret
