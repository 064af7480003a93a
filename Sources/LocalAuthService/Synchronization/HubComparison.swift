import LocalAuthSync

/// A look at a hub at another address, before a device takes it for the hub of its circle.
///
/// Whoever has an address can say where everything ends. So what is behind the places that were verified is pulled, and has
/// to lead on from them; what is at those places the hub says itself, as it does in every round. Nothing of it is kept. The
/// comparison keeps itself until it has ended.
final class HubComparison {
  private let link: any HubLink
  private let ports: SyncPorts
  /// What has to be there of zones: nothing where a person accepts an older copy, from which others may have gone on.
  private let zones: [ZoneChain]
  private var circle: CircleLog
  private let body: (Result<Void, SyncFailure>) -> Void

  /// Compares what was verified with the hub at `link`.
  ///
  /// - Parameters:
  ///   - link: The hub; it is closed at the end.
  ///   - circle: The circle's log, as far as it was verified.
  ///   - zones: The zones, as far as they were verified.
  ///   - acceptsOlder: Whether zones may be those of an older copy; the circle's log has to be there all the same.
  ///   - ports: Digests and signatures.
  ///   - body: Called once, with why it is not the hub.
  init(
    with link: any HubLink,
    _ circle: CircleLog,
    _ zones: SyncedZones,
    acceptingOlder acceptsOlder: Bool,
    _ ports: SyncPorts,
    then body: @escaping (Result<Void, SyncFailure>) -> Void
  ) {
    self.link = link
    self.circle = circle
    self.zones =
      acceptsOlder ? [] : zones.replicas.sorted { $0.key < $1.key }.map(\.value.chain)
    self.ports = ports
    self.body = body
  }

  /// Begins, by asking where everything ends there.
  func begin() {
    ask(.heads) { [self] reply in
      guard case .heads(let heads) = reply else { return endUnexpectedly() }
      let verified = circle.head
      guard heads.circle.number >= verified.number else {
        return end(.olderHub(nil, verified: verified.number, offered: heads.circle.number))
      }
      guard heads.circle.number > verified.number || heads.circle == verified else {
        return end(.otherHub(nil))
      }
      pullCircle { [self] in compare(zones[...], heads) }
    }
  }

  /// Pulls the circle's log behind what was verified: zones may have been written by who joined since.
  private func pullCircle(then body: @escaping () -> Void) {
    ask(.circlePull(after: circle.head.number)) { [self] reply in
      guard case .circle(let new) = reply else { return endUnexpectedly() }
      guard !new.isEmpty else { return body() }
      do throws(CircleRefusal) {
        for entry in new { try circle.append(entry, ports) }
      } catch { return end(.otherHub(nil)) }
      pullCircle(then: body)
    }
  }

  private func compare(_ zones: ArraySlice<ZoneChain>, _ heads: HubHeads) {
    guard let chain = zones.first else { return end(nil) }
    let next: () -> Void = { [self] in compare(zones.dropFirst(), heads) }
    let offered = heads.zones.first { $0.zone == chain.zone }?.place ?? .beginning
    guard offered.number >= chain.head.number else {
      return end(
        .olderHub(chain.zone, verified: chain.head.number, offered: offered.number)
      )
    }
    guard offered.number > chain.head.number else {
      return offered == chain.head ? next() : end(.otherHub(chain.zone))
    }
    ask(.zonePull(chain.zone, after: chain.head.number, limit: 1)) { [self] reply in
      guard case .zone(let page) = reply else { return endUnexpectedly() }
      var followed = chain
      do throws(HubAlarm) {
        let answer = page.answer(ports.hash)
        _ = try followed.admit(
          answer.entries,
          bodies: answer.bodies,
          head: answer.head,
          // Which bodies are there shows when they are pulled.
          mayLack: true,
          in: circle,
          ports
        )
      } catch { return end(.otherHub(chain.zone)) }
      followed.head.number > chain.head.number ? next() : end(.otherHub(chain.zone))
    }
  }

  private func ask(_ request: HubRequest, _ body: @escaping (HubReply) -> Void) {
    link.ask(request) { [self] reply in
      guard case .failed(let error) = reply else { return body(reply) }
      end(.hub(error))
    }
  }

  private func endUnexpectedly() {
    end(.hub(.unexpected("the hub's program answered something else")))
  }

  private func end(_ failure: SyncFailure?) {
    link.close()
    body(failure.map { .failure($0) } ?? .success(()))
  }
}
