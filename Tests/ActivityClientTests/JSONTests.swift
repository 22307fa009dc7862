import ActivityClient
import Testing

@Suite("JSON values") struct JSONTests {
  @Test(
    "are written as they were read, less white space",
    arguments: [
      #"null"#, #"true"#, #"-0.10e+5"#, #"9007199254740993"#, #""""#, #"[]"#, #"{}"#,
      #"[1,[2,{"a":null}],"x"]"#, #"{"b":1,"a":{"c":[false]}}"#, #""a\"b\\c\n\u0001""#, #""👨‍🍳é""#,
    ])
  func roundTrip(_ text: String) throws {
    #expect(try #require(JSONValue(text: text)).text == text)
    #expect(try #require(JSONValue(text: " \(text) ")).text == text)
  }

  @Test(
    "are nothing else than exactly one value",
    arguments: ["", "nope", "1,2", #"1,"value":2"#, "1}", "{", "\"a", "[1,]", "01"])
  func malformed(_ text: String) { #expect(JSONValue(text: text) == nil) }

  @Test("unescape what needn't be escaped")
  func unescaped() { #expect(JSONValue(text: #""\u00e9\/\ud83d\ude00""#)?.text == #""é/😀""#) }

  @Test("can be written in Swift")
  func literals() {
    let value: JSONValue = ["a": 1, "b": [true, nil, 2.5, "x"], "c": [:]]
    #expect(value.text == #"{"a":1,"b":[true,null,2.5,"x"],"c":{}}"#)
  }

  @Test("an object's members keep their place when they are set")
  func members() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["a"] = 3
    object["c"] = 4
    object["b"] = nil
    #expect(object.text == #"{"a":3,"c":4}"#)
  }
}
