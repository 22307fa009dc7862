/// Finds what somebody may have meant.
package enum Spelling {
  /// The known word that is the nearest to `word`, and how far it is, if that is no more than
  /// three letters; the first among equals.
  package static func nearest(
    to word: String, among known: [String]
  ) -> (word: String, distance: Int)? {
    known.filter { abs($0.utf8.count - word.utf8.count) <= 3 }
      .map { (word: $0, distance: distance(from: word, to: $0)) }
      .filter { $0.distance <= 3 }
      .min { $0.distance < $1.distance }
  }

  /// The word that `word` must be a misspelling of: one or two letters away, and mostly the same.
  static func nearMiss(of word: String, among known: [String]) -> String? {
    guard let nearest = nearest(to: word, among: known) else { return nil }
    return nearest.distance <= (nearest.word.utf8.count > 4 ? 2 : 1) ? nearest.word : nil
  }

  /// How many letters must be put in, taken out, changed or swapped with their neighbours.
  /// Letters are bytes here.
  private static func distance(from left: String, to right: String) -> Int {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var best = min(
          last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
