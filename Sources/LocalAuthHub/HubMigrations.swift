/// One step of the hub's schema, which is made once and never changed.
struct HubMigration {
  /// Its number, from 1.
  let number: Int
  let name: String
  let script: String

  /// All there are, in their order.
  static let all = [
    HubMigration(
      number: 1,
      name: "circles and zones",
      script: String(decoding: PackageResources.migration_0001_circles_and_zones_sql, as: UTF8.self)
    ),
    HubMigration(
      number: 2,
      name: "values of a mebibyte",
      script: String(
        decoding: PackageResources.migration_0002_values_of_a_mebibyte_sql,
        as: UTF8.self
      )
    ),
    HubMigration(
      number: 3,
      name: "roles of members",
      script: String(decoding: PackageResources.migration_0003_roles_of_members_sql, as: UTF8.self)
    ),
    HubMigration(
      number: 4,
      name: "late shares",
      script: String(decoding: PackageResources.migration_0004_late_shares_sql, as: UTF8.self)
    ),
    HubMigration(
      number: 5,
      name: "late older keys",
      script: String(
        decoding: PackageResources.migration_0005_late_older_keys_sql,
        as: UTF8.self
      )
    ),
    HubMigration(
      number: 6,
      name: "nobody is left behind",
      script: String(
        decoding: PackageResources.migration_0006_nobody_is_left_behind_sql,
        as: UTF8.self
      )
    ),
    HubMigration(
      number: 7,
      name: "invitations are revoked",
      script: String(
        decoding: PackageResources.migration_0007_invitations_are_revoked_sql,
        as: UTF8.self
      )
    ),
    HubMigration(
      number: 8,
      name: "room for removals",
      script: String(
        decoding: PackageResources.migration_0008_room_for_removals_sql,
        as: UTF8.self
      )
    ),
    HubMigration(
      number: 9,
      name: "what a removed device leaves",
      script: String(
        decoding: PackageResources.migration_0009_what_a_removed_device_leaves_sql,
        as: UTF8.self
      )
    ),
  ]

  /// The version that this program speaks.
  static var newest: Int { all.count }
}
