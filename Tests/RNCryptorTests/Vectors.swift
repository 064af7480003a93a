import Foundation

// The vectors that RNCryptor publishes with its formats: https://github.com/RNCryptor/RNCryptor-Spec.

/// A message for a password.
struct PasswordVector: Sendable {
  let password: String
  let encryptionSalt: String
  let macSalt: String
  let vector: String
  let plaintext: String
  let message: String

  static let version3: [Self] = [
    Self(
      password: "a",
      encryptionSalt: "0000000000000000",
      macSalt: "0000000000000000",
      vector: "00000000000000000000000000000000",
      plaintext: "",
      message: "03010000000000000000000000000000000000000000000000000000000000000000b3039be3"
        + "1cd7ece5e754f5c8da17003666313ae8a89ddcf8e3cb41fdc130b2329dbe07d6f4d32c34e050"
        + "c8bd7e933b12"
    ),
    Self(
      password: "thepassword",
      encryptionSalt: "0001020304050607",
      macSalt: "0102030405060708",
      vector: "02030405060708090a0b0c0d0e0f0001",
      plaintext: "01",
      message: "03010001020304050607010203040506070802030405060708090a0b0c0d0e0f0001a1f8730e"
        + "0bf480eb7b70f690abf21e029514164ad3c474a51b30c7eaa1ca545b7de3de5b010acbad0a9a"
        + "13857df696a8"
    ),
    Self(
      password: "thepassword",
      encryptionSalt: "0102030405060700",
      macSalt: "0203040506070801",
      vector: "030405060708090a0b0c0d0e0f000102",
      plaintext: "0123456789abcdef",
      message: "030101020304050607000203040506070801030405060708090a0b0c0d0e0f0001020e437fe8"
        + "09309c03fd53a475131e9a1978b8eaef576f60adb8ce2320849ba32d742900438ba897d22210"
        + "c76c35c849df"
    ),
    Self(
      password: "thepassword",
      encryptionSalt: "0203040506070001",
      macSalt: "0304050607080102",
      vector: "0405060708090a0b0c0d0e0f00010203",
      plaintext: "0123456789abcdef01234567",
      message: "0301020304050607000103040506070801020405060708090a0b0c0d0e0f00010203e01bbda5"
        + "df2ca8adace38f6c588d291e03f951b78d3417bc2816581dc6b767f1a2e57597512b18e1638f"
        + "21235fa5928c"
    ),
    Self(
      password: "中文密码",
      encryptionSalt: "0304050607000102",
      macSalt: "0405060708010203",
      vector: "05060708090a0b0c0d0e0f0001020304",
      plaintext: "23456789abcdef0123456701",
      message: "03010304050607000102040506070801020305060708090a0b0c0d0e0f00010203048a9e08bd"
        + "ec1c4bfe13e81fb85f009ab3ddb91387e809c4ad86d9e8a6014557716657bd317d4bb6a76446"
        + "15b3de402341"
    ),
    Self(
      password: "It was the best of times, it was the worst of times; it was the age of"
        + " wisdom, it was the age of foolishness;",
      encryptionSalt: "0405060700010203",
      macSalt: "0506070801020304",
      vector: "060708090a0b0c0d0e0f000102030405",
      plaintext: "697420776173207468652065706f6368206f662062656c6965662c2069742077617320746865"
        + "2065706f6368206f6620696e63726564756c6974793b20697420776173207468652073656173"
        + "6f6e206f66204c696768742c206974207761732074686520736561736f6e206f66204461726b"
        + "6e6573733b206974207761732074686520737072696e67206f6620686f70652c206974207761"
        + "73207468652077696e746572206f6620646573706169723b2077652068616420657665727974"
        + "68696e67206265666f72652075732c20776520686164206e6f7468696e67206265666f726520"
        + "75733b207765207765726520616c6c20676f696e67206469726563746c7920746f2048656176"
        + "656e2c207765207765726520616c6c20676f696e6720746865206f74686572207761792e0a0a",
      message: "030104050607000102030506070801020304060708090a0b0c0d0e0f000102030405d564c7a9"
        + "9da921a6e7c4078a82641d95479551283167a2c81f31ab80c9d7d8beb770111decd3e3d29bbd"
        + "f7ebbfc5f10ac87e7e55bfb5a7f487bcd39835705e83b9c049c6d6952be011f8ddb1a14fc0c9"
        + "25738de017e62b1d621ccdb75f2937d0a1a70e44d843b9c61037dee2998b2bbd740b910232ee"
        + "a71961168838f6995b9964173b34c0bcd311a2c87e271630928bae301a8f4703ac2ae4699f3c"
        + "285abf1c55ac324b073a958ae52ee8c3bd68f919c09eb1cd28142a1996a9e6cbff5f4f4e1dba"
        + "07d29ff66860db9895a48233140ca249419d63046448db1b0f4252a6e4edb947fd0071d1e52b"
        + "c15600622fa548a6773963618150797a8a80e592446df5926d0bfd32b544b796f3359567394f"
        + "77e7b171b2f9bc5f2caf7a0fac0da7d04d6a86744d6e06d02fbe15d0f580a1d5bd16ad913480"
        + "03611358dcb4ac9990955f6cbbbfb185941d4b4b71ce7f9ba6efc1270b7808838b6c7b7ef17e"
        + "8db919b34fac"
    ),
  ]

  static let version2: [Self] = [
    Self(
      password: "password",
      encryptionSalt: "97076dc661b6e0ce",
      macSalt: "9da3bb43d95bcd45",
      vector: "ee396d39e342ffdb679b270dcd9c557c",
      plaintext: "546869732069732061206c6f6e676572207465737420766563746f7220696e74656e64656420"
        + "746f206265206c6f6e676572207468616e206f6e6520626c6f636b2e",
      message: "020197076dc661b6e0ce9da3bb43d95bcd45ee396d39e342ffdb679b270dcd9c557c37055fff"
        + "cc1b663b1e6b8c5694dbb96d97a3ac0fa3f355db6668c5a8a2a06f10056ce92384a618a35bf0"
        + "fa9eb612b0b4fa72f749f76e2f728c16574dc2f15b7cec1786d291c2135f932ddc5a34d9eafd"
        + "6b45f99491ac23c34299af0be68a43e6e8113bb748fbc19bcad638ea79b07309"
    )
  ]

  static let version1: [Self] = [
    Self(
      password: "password",
      encryptionSalt: "97076dc661b6e0ce",
      macSalt: "9da3bb43d95bcd45",
      vector: "ee396d39e342ffdb679b270dcd9c557c",
      plaintext: "546869732069732061206c6f6e676572207465737420766563746f7220696e74656e64656420"
        + "746f206265206c6f6e676572207468616e206f6e6520626c6f636b2e",
      message: "0101d5e9b0eeefa3336d7578c1f9babe4b5de9ecf9598c104ae1e080ec71e0cabad22204d8d0"
        + "dc5bf77203fa7e46465d09136cd4a194aadf2b5593d5f9122aa13b27dc7afaca7ca1548e046a"
        + "92298ee884c014b5b4a55503be28852ba1a2750208fd5f0e410e7c1eb969c3990c621b3b73a6"
        + "5715de4d9ff56e159ee7625e852517b135dbccef0b9460350a04cd6e3d10e925"
    )
  ]
}

/// A message for keys.
struct KeyVector: Sendable {
  let encryptionKey: String
  let macKey: String
  let vector: String
  let plaintext: String
  let message: String

  static let version3: [Self] = [
    Self(
      encryptionKey: "0000000000000000000000000000000000000000000000000000000000000000",
      macKey: "0000000000000000000000000000000000000000000000000000000000000000",
      vector: "00000000000000000000000000000000",
      plaintext: "",
      message: "0300000000000000000000000000000000001f788fe6d86c317549697fbf0c07fa436384ac0e"
        + "f35b860b2ddb2aba2fff816b1fb3a9c180f7b43650aec0d2b5f88e33"
    ),
    Self(
      encryptionKey: "000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f",
      macKey: "0102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f00",
      vector: "02030405060708090a0b0c0d0e0f0001",
      plaintext: "01",
      message: "030002030405060708090a0b0c0d0e0f0001981b22e7a6448118d695bd654f72e9d6ed75ec14"
        + "ae2aa067eed2a98a56e0993dfe22ab5887b3f6e3cdd40767f5195eb5"
    ),
    Self(
      encryptionKey: "0102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f00",
      macKey: "02030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f0001",
      vector: "030405060708090a0b0c0d0e0f000102",
      plaintext: "000102030405060708090a0b0c0d0e0f",
      message: "0300030405060708090a0b0c0d0e0f000102d2b177d618781829f56453f739a2d4f729f92b1a"
        + "9c6c5083786474e16a22c60f92b073454f7976cdda043e09b11766de05ffe05bc1dca9522ea6"
        + "6e64ad25bbbc"
    ),
    Self(
      encryptionKey: "02030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f0001",
      macKey: "030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f000102",
      vector: "0405060708090a0b0c0d0e0f00010203",
      plaintext: "000102030405060708090a0b0c0d0e0f000102030405060708",
      message: "03000405060708090a0b0c0d0e0f000102034c9b98b425f1d732644cb311278d858e3d182a07"
        + "89b86af7f74134b6a27e9d938617741c0fb8aaf094b3b5b26f505da7bf1913f6c17e70273977"
        + "ae51323b6f09"
    ),
  ]
}

/// A key that a password makes.
struct DerivationVector: Sendable {
  let password: String
  let salt: String
  let key: String

  static let version3: [Self] = [
    Self(
      password: "a",
      salt: "0102030405060708",
      key: "fc632b0ca6b23eff9a9dc3e0e585167f5a328916ed19f83558be3ba9828797cd"
    ),
    Self(
      password: "thepassword",
      salt: "0203040506070801",
      key: "0ea84f5252310dc3e3a7607c33bfd1eb580805fb68293005da21037ccf499626"
    ),
    Self(
      password: "this is a bit longer password",
      salt: "0304050607080102",
      key: "71343acb1e9675b016ac65dcfe5ddac2e57ed9c35565fdbb2dd6d2cefe263d5b"
    ),
    Self(
      password: "$$$it was the epoch of belief, it was the epoch of incredulity; it was"
        + " the season of Light, it was the season of Darkness; it was the spring"
        + " of hope, it was the winter of despair; we had everything before us, w"
        + "e had nothing before us; we were all going directly to Heaven, we were"
        + " all going the other way.",
      salt: "0405060708010203",
      key: "11b52c50cbf45be6a636a3142b8c30b85a6244814a7d43e37457f38de46c6735"
    ),
    Self(
      password: "中文密码",
      salt: "0506070801020304",
      key: "d2fc3237d4a69668ca83d969c2cda1ac6c3684792b6644b1a90b2052007215dd"
    ),
    Self(
      password: "中文密码 with a little English, too.",
      salt: "0607080102030405",
      key: "46bda5f465982a4740c728bc14c5de5cc7fc4eeaf0aa41bb9b9e8495452dafff"
    ),
  ]

  /// Format 2 publishes the first four of them.
  static let version2 = Array(version3.prefix(4))
}

extension Data {
  /// The bytes that pairs of hexadecimal digits stand for.
  init(hexadecimal text: String) {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    self = Data(bytes)
  }
}
