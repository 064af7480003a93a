import LocalAuthJSON

/// What a reader makes of `text`, whole.
func read<Result>(
  _ text: String,
  _ body: (inout JSONReader) throws(JSONError) -> Result
) throws(JSONError) -> Result {
  try JSONReader.read(Array(text.utf8).span) { (reader) throws(JSONError) -> Result in
    let result = try body(&reader)
    try reader.end()
    return result
  }
}

/// What the reader says against `bytes`; nil if it accepts them.
func complaint(_ bytes: [UInt8]) -> JSONError? {
  do throws(JSONError) {
    try JSONReader.read(bytes.span) { (reader) throws(JSONError) in
      try reader.skipValue()
      try reader.end()
    }
    return nil
  } catch {
    return error
  }
}

func complaint(_ text: String) -> JSONError? { complaint(Array(text.utf8)) }

/// The error that `body` throws.
func failure(_ text: String, _ body: (inout JSONReader) throws(JSONError) -> Void) -> JSONError? {
  do throws(JSONError) {
    try read(text, body)
    return nil
  } catch {
    return error
  }
}

/// The tree that `text` describes.
func tree(_ text: String) throws(JSONError) -> JSONValue {
  try JSONValue(parsing: Array(text.utf8).span)
}

/// What `body` writes.
func written(
  _ body: (inout JSONWriter<JSONGrowingBuffer>) -> Void
) throws(JSONWriteError) -> String {
  var bytes: [UInt8] = []
  try JSONWriter.write(into: &bytes, body)
  return String(decoding: bytes, as: UTF8.self)
}
