// What appears in this module's API and is defined below it, so that one import is enough.
@_exported public import struct LocalAuthToken.AssertionClaims
@_exported public import struct LocalAuthToken.JSONWebKey
@_exported public import struct LocalAuthToken.JSONWebKeySet
@_exported public import enum LocalAuthToken.TokenError
