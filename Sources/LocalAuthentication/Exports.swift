// Code for Apple's systems gets both with this module.
@_exported public import Foundation
@_exported public import Security
