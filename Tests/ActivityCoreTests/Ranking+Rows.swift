import ActivityCore

extension Ranking {
  /// All of it at once.
  var rows: [Row] {
    _ = gather(.max)
    var rows: [Row] = []
    while let row = popFirst() { rows.append(row) }
    return rows
  }
}

extension Coordinator {
  func shown(in interest: Interest, changedAfter seq: Seq = 0) -> [Row] {
    ranking(of: interest, changedAfter: seq).rows
  }

  /// Tombstones, in order of seq.
  func dismissed(in interest: Interest, after seq: Seq) -> [Row] {
    ranking(ofGone: interest, after: seq, andBy: []).rows
  }

  func listed(_ filter: ListFilter) -> [Row] { ranking(of: filter).rows }
}
