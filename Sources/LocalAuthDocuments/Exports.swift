@_exported public import LocalAuth
