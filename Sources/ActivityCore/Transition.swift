/// One change of one activity, decided but not yet durable.
package struct Transition: Equatable, Sendable {
  /// The activity after the change, boxed since it passes through many hands.
  private(set) var boxed: Box<Activity>
  /// The version it was decided on; 0 if there was none.
  package var basis: Version
  /// It is the `start` of a new generation.
  package var opensGeneration = false
  /// Devices see it from here on.
  package var entersView = false
  package var priority: Priority = .high

  package init(activity: consuming Activity, basis: Version) {
    boxed = Box(consume activity)
    self.basis = basis
  }

  /// The activity after the change. Its `seq`, and where this is or follows a start that isn't
  /// durable yet its `generation`, are 0 until the store has given them.
  package var activity: Activity {
    get { boxed.value }
    set { boxed.value = newValue }
  }

  package var id: String { boxed.value.id }

  /// The activity's generation; see there.
  package var generation: Generation { boxed.value.generation }

  /// The activity as it is on disk: with the seq the store gave, and what follows from that.
  ///
  /// - Parameter predecessor: the durable row of this id that the change was decided on.
  package func sealed(seq: Seq, predecessor: Activity?) -> Activity {
    sealed(seq: seq, over: predecessor.map { Row($0) })
  }

  /// The same without a copy of the predecessor, which is where it is.
  func sealed(seq: Seq, over row: Row?) -> Activity {
    var activity = boxed.value
    activity.seq = seq
    if opensGeneration {
      activity.generation = seq
      activity.shownSeq = 0
    } else if let row {
      activity.generation = row.activity.generation
      activity.shownSeq = row.activity.shownSeq
    }
    if entersView { activity.shownSeq = seq }
    if var alert = activity.alert, alert.version > 0 {
      alert.seq = alert.version == activity.version ? seq : row?.activity.alert?.seq ?? 0
      activity.alert = alert
    }
    return activity
  }
}
