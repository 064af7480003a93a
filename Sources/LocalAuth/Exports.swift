// What appears in this module's API and is defined below it, so that one import is enough.
@_exported public import enum LocalAuthCore.Finger
@_exported public import enum LocalAuthCore.OutcomeCode
@_exported public import struct LocalAuthSecret.Secret
