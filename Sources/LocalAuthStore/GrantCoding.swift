import LocalAuthCore

/// The encoding of the grants, at the end of a device's record.
enum GrantCoding {
  static func put(_ grants: Grants, into writer: inout ByteWriter) {
    writer.put(UInt32(grants.all.count))
    for grant in grants.all { put(grant, into: &writer) }
  }

  static func grants(_ reader: inout ByteReader) -> Grants? {
    guard let all = reader.list(grant), !all.isEmpty, all.count <= Grants.countMax else {
      return nil
    }
    return Grants(all)
  }

  private static func put(_ grant: Grant, into writer: inout ByteWriter) {
    writer.put(grant.id.high)
    writer.put(grant.id.low)
    writer.put(grant.scope) { put($1, into: &$0) }
    DeviceCoding.put(grant.rule.maxAge, into: &writer)
    writer.put(grant.rule.idle) { DeviceCoding.put($1, into: &$0) }
    writer.put(grant.rule.uses) { $0.put($1) }
    writer.put(grant.proven.factors.rawValue)
    writer.put(grant.proven.biometryGeneration) { $0.put($1) }
    writer.put(grant.provenAt.boot.nanoseconds)
    DeviceCoding.put(grant.provenAt.bootID, into: &writer)
    writer.put(grant.provenAt.wall.milliseconds)
    writer.put(grant.origin.policy)
    writer.put(grant.origin.action) { $0.put($1) }
    writer.put(grant.origin.callerPID)
    writer.put(grant.origin.program)
    writer.put(grant.usedAt.nanoseconds)
    writer.put(grant.usesLeft) { $0.put($1) }
  }

  private static func put(_ scope: Grant.Scope, into writer: inout ByteWriter) {
    writer.put(scope.caller.uid)
    switch scope.caller.bounds {
    case .process(let process):
      writer.put(UInt8(0))
      put(process, into: &writer)
    case .session(let leader, let terminal):
      writer.put(UInt8(1))
      put(leader, into: &writer)
      writer.put(terminal)
    }
    writer.put(scope.caller.program) { writer, program in
      writer.put(program.device)
      writer.put(program.inode)
    }
    writer.put(scope.policy)
    writer.put(scope.action) { $0.put($1) }
    writer.put(scope.audience) { $0.put($1) }
  }

  private static func put(_ stamp: CallerScope.ProcessStamp, into writer: inout ByteWriter) {
    writer.put(stamp.id)
    writer.put(stamp.start)
  }

  private static func grant(_ reader: inout ByteReader) -> Grant? {
    guard let high = reader.number(UInt64.self), let low = reader.number(UInt64.self),
      let scope = reader.optional(scope), let rule = rule(&reader), let proven = proven(&reader),
      let provenAt = moment(&reader), let origin = origin(&reader),
      let usedAt = reader.number(Int64.self),
      let usesLeft = reader.optional({ $0.number(UInt32.self) })
    else { return nil }
    return Grant(
      id: EvaluationID(high: high, low: low),
      scope: scope,
      rule: rule,
      proven: proven,
      provenAt: provenAt,
      origin: origin,
      usedAt: BootInstant(nanoseconds: usedAt),
      usesLeft: usesLeft
    )
  }

  private static func scope(_ reader: inout ByteReader) -> Grant.Scope? {
    guard let uid = reader.number(UInt32.self), let bounds = bounds(&reader),
      let program = reader.optional(program), let policy = reader.blob(),
      let action = reader.optional({ $0.blob() }), let audience = reader.optional({ $0.text() })
    else { return nil }
    return Grant.Scope(
      caller: CallerScope(uid: uid, bounds: bounds, program: program),
      policy: policy,
      action: action,
      audience: audience
    )
  }

  private static func bounds(_ reader: inout ByteReader) -> CallerScope.Bounds? {
    guard let kind = reader.number(UInt8.self), let id = reader.number(Int32.self),
      let start = reader.number(UInt64.self)
    else { return nil }
    let stamp = CallerScope.ProcessStamp(id: id, start: start)
    switch kind {
    case 0: return .process(stamp)
    case 1: return reader.number(UInt32.self).map { .session(stamp, terminal: $0) }
    default: return nil
    }
  }

  private static func program(_ reader: inout ByteReader) -> CallerScope.Program? {
    guard let device = reader.number(UInt64.self), let inode = reader.number(UInt64.self) else {
      return nil
    }
    return CallerScope.Program(device: device, inode: inode)
  }

  private static func rule(_ reader: inout ByteReader) -> GrantRule? {
    guard let maxAge = DeviceCoding.duration(&reader),
      let idle = reader.optional(DeviceCoding.duration),
      let uses = reader.optional({ $0.number(UInt32.self) })
    else { return nil }
    return GrantRule(maxAge: maxAge, idle: idle, uses: uses)
  }

  private static func proven(_ reader: inout ByteReader) -> Proven? {
    guard let factors = reader.number(UInt8.self),
      let generation = reader.optional({ $0.number(UInt64.self) })
    else { return nil }
    return Proven(factors: FactorSet(rawValue: factors), biometryGeneration: generation)
  }

  private static func moment(_ reader: inout ByteReader) -> Moment? {
    guard let at = reader.number(Int64.self), let boot = DeviceCoding.boot(&reader),
      let wall = reader.number(Int64.self)
    else { return nil }
    return Moment(
      boot: BootInstant(nanoseconds: at),
      bootID: boot,
      wall: WallInstant(milliseconds: wall)
    )
  }

  private static func origin(_ reader: inout ByteReader) -> Grant.Origin? {
    guard let policy = reader.text(), let action = reader.optional({ $0.text() }),
      let pid = reader.number(Int32.self), let program = reader.text()
    else { return nil }
    return Grant.Origin(policy: policy, action: action, callerPID: pid, program: program)
  }
}
