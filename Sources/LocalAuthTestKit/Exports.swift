// So that a client's tests need to import only the client's module and this one.
@_exported public import LocalAuth
@_exported public import LocalAuthEmbedded
