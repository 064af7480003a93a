// A test of a client needs the client's module and this one; nothing below them.
@_exported public import LocalAuth
@_exported public import LocalAuthEmbedded
