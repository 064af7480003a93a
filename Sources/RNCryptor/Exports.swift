// What `RNCryptor.Error` and `RNCryptor.Oddity` are, with their members.
@_exported public import enum LocalAuthRNCryptor.MessageError
@_exported public import enum LocalAuthRNCryptor.MessageOddity
