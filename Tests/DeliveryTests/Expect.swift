import Testing

/// `#expect` for what changes the value that it is asked of, which the macro can't take apart.
func expect(_ isTrue: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(isTrue, sourceLocation: sourceLocation)
}
