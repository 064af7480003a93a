@_exported public import LocalAuth

@_exported public import enum LocalAuthSync.CellValue
