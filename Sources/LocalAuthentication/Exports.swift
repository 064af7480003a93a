// As on Apple's systems, this module also exports these two.
@_exported public import Foundation
@_exported public import Security
