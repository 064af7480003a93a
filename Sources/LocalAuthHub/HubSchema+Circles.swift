public import LocalAuthSync

extension HubSchema {
  /// A circle, as its administrator can tell it from others.
  public struct Circle: Hashable, Sendable {
    /// Its number at this hub.
    public let number: Int64
    /// How its devices name it, in 32 hexadecimal digits; nil for one that nobody founded yet.
    public let name: String?
    /// How many devices have joined it.
    public let devices: Int64
    /// How many records it has.
    public let records: Int64
    /// How many bytes count against its share.
    public let bytes: Int64
    /// Its share.
    public let room: Int64
    /// When it was made, in seconds since 1970.
    public let made: Int64
    /// When a device of it asked for something last, to the minute; nil for never.
    public let used: Int64?
  }

  /// The most circles that are listed.
  public static let circlesMax: Int64 = 5_000

  /// The circles, the one that was used longest ago first.
  ///
  /// - Throws: ``HubError``.
  public static func circles(_ connection: borrowing HubConnection) throws(HubError) -> [Circle] {
    let rows = try connection.run(
      """
      select c.id, encode(substr(c.digest, 1, 16), 'hex'),
        (select count(*) from localauth.device d where d.circle = c.id and d.expires is null),
        (select count(*) from localauth.record r join localauth.zone z on r.zone = z.id where z.circle = c.id),
        c.bytes, c.bytes_max, extract(epoch from c.made)::bigint, extract(epoch from u.seen)::bigint
      from localauth.circle c
        left join lateral (select max(d.seen) as seen from localauth.device d where d.circle = c.id) u on true
      order by coalesce(u.seen, c.made), c.id limit $1
      """,
      [.number(circlesMax)]
    )
    var circles: [Circle] = []
    for row in 0..<rows.count {
      circles.append(
        Circle(
          number: try rows.number(row, 0),
          name: try rows.text(row, 1),
          devices: try rows.number(row, 2),
          records: try rows.number(row, 3),
          bytes: try rows.number(row, 4),
          room: try rows.number(row, 5),
          made: try rows.number(row, 6),
          used: try rows.bytes(row, 7) == nil ? nil : try rows.number(row, 7)
        )
      )
    }
    return circles
  }

  /// Removes a circle with everything that it has: the roles of its devices, their sessions, and all rows, in one transaction.
  ///
  /// - Throws: ``HubError``, `unexpected` if there is no such circle; the hub is as it was then.
  public static func removeCircle(
    _ number: Int64,
    _ connection: borrowing HubConnection
  ) throws(HubError) {
    let version = try status(connection).version
    guard version == newest else { throw .schema(found: version, wanted: newest) }
    try connection.runScript("begin")
    do throws(HubError) {
      try removeRows(of: number, connection)
      try connection.runScript("commit")
    } catch {
      try? connection.runScript("rollback")
      throw error
    }
  }

  private static func removeRows(
    of number: Int64,
    _ connection: borrowing HubConnection
  ) throws(HubError) {
    let circle = HubValue.number(number)
    // What a session of a device has locked would keep this waiting.
    try connection.runScript("set local lock_timeout = '30s'")
    _ = try connection.run(
      "select localauth.end_sessions(role) from localauth.device where circle = $1",
      [circle]
    )
    // From here on nobody is invited into it.
    let found = try connection.run(
      "select id from localauth.circle where id = $1 for update",
      [circle]
    )
    guard found.count == 1 else { throw .unexpected("there is no circle \(number)") }
    _ = try connection.run(
      "select localauth.drop_device(circle, role) from localauth.device where circle = $1",
      [circle]
    )
    // A number is no text that could be read another way.
    let zones = "(select id from localauth.zone where circle = \(number))"
    try connection.runScript(
      """
      delete from localauth.checkpoint where zone in \(zones);
      delete from localauth.record where zone in \(zones);
      delete from localauth.zone_entry where zone in \(zones);
      delete from localauth.zone where circle = \(number);
      delete from localauth.key_share where circle = \(number);
      delete from localauth.older_key where circle = \(number);
      delete from localauth.circle_entry where circle = \(number);
      delete from localauth.circle where id = \(number);
      """
    )
  }
}
