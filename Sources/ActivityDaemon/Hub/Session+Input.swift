internal import ActivityCore
internal import ActivityWire
internal import EventLoop

// MARK: - From bytes to requests

extension Session {
  /// No further request is carried out for now: one waits for the answers before it, or too much
  /// waits to be answered or written.
  var isHeld: Bool {
    holdsRequest || particulars?.holdsInput ?? false || !(remainder?.parts.isEmpty ?? true)
      || Int(outstanding) >= hub.limits.unansweredRequestsMax
      || (answers.count > hub.limits.answerBytesMax && !isDeaf)
  }

  /// (A comparison with nil would copy the request, and this is asked for every line.)
  private var holdsRequest: Bool {
    if let held, case .some = held.request { true } else { false }
  }

  func received(_ chunk: RawSpan) {
    guard !isClosed, !isFinishing else { return }
    var position = 0
    if held == nil { take(chunk, from: &position) }
    keepRest(of: chunk, from: position)
  }

  func reachedEnd() {
    guard !isClosed, !hasEnded else { return }
    hasEnded = true
    proceed()
  }

  /// Goes on with what was held, if it may.
  func proceed() {
    guard !isClosed, !isFinishing else { return }
    if let request = held?.request, !hasWork {
      held?.request = nil
      hub.perform(request, for: self)
    }
    if let backlog = held?.backlog, !isHeld, !isFinishing {
      held = nil
      var position = 0
      unsafe take(backlog.span.bytes, from: &position)
      unsafe keepRest(of: backlog.span.bytes, from: position)
    }
    guard !isHeld, !isFinishing, !isClosed else { return }
    if hasEnded {
      if held == nil { inputIsDone() }
    } else if !isReading {
      isReading = true
      transport.startReading()
    }
  }

  /// Something that was asked for earlier isn't answered, or not streamed to its end.
  var hasWork: Bool {
    outstanding > 0 || !(remainder?.parts.isEmpty ?? true) || particulars?.awaitsBackup ?? false
  }

  private func take(_ chunk: RawSpan, from position: inout Int) {
    while !isHeld, !isFinishing, let frame = framer.next(in: chunk, from: &position) {
      switch frame {
      case .line(let range): handle(chunk.extracting(range))
      case .gathered(let line): unsafe handle(line.span.bytes)
      case .tooLong: refuseTooLong()
      }
    }
  }

  /// What can't be carried out yet waits, and nothing more is read until it has been.
  private func keepRest(of chunk: RawSpan, from position: Int) {
    guard held != nil || isHeld, !isFinishing else { return }
    if position < chunk.byteCount {
      let held = heldMade()
      unsafe chunk.extracting(position..<chunk.byteCount).withUnsafeBytes {
        unsafe held.backlog.append(contentsOf: $0)
      }
    }
    if isReading {
      isReading = false
      transport.stopReading()
    }
  }

  /// Everything that came has been carried out or waits for its batch.
  private func inputIsDone() {
    switch framer.finish() {
    case .gathered where isCutOff: hub.refuse(.cutOff, op: nil, ref: nil, to: self)
    case .gathered(let line): unsafe handle(line.span.bytes)
    case .tooLong: refuseTooLong()
    case .line, nil: break
    }
    hub.closeIfDone(self)
  }

  private func handle(_ line: RawSpan) {
    if !hasReadLine {
      hasReadLine = true
      if line.endsInHTTPVersion { return hub.drop(self, because: "http") }
    }
    unansweredPings = 0
    do throws(RequestError) {
      hub.take(try hub.reader.read(line), from: self)
    } catch {
      hub.refuse(error.refusal, op: error.op, ref: error.ref, id: error.id, to: self)
    }
  }

  private func refuseTooLong() {
    hasReadLine = true
    hub.refuse(.lineTooLong(bytesMax: framer.lineBytesMax), op: nil, ref: nil, to: self)
  }
}
