// Types of other modules that this module's API uses, so that one import is enough.
@_exported public import struct LocalAuthToken.AssertionClaims
@_exported public import struct LocalAuthToken.JSONWebKey
@_exported public import struct LocalAuthToken.JSONWebKeySet
@_exported public import enum LocalAuthToken.TokenError
