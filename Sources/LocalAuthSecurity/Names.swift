/// The key of an item's class.
public let kSecClass: CFString = "class"
