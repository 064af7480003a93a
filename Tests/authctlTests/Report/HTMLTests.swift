import Testing

@testable import authctl

/// What stands in a page that came from elsewhere is text there.
@Suite struct HTMLTests {
  @Test func textIsNoMarkup() {
    #expect(HTML("<b a=\"1\">&amp;</b>").markup == "&lt;b a=&quot;1&quot;&gt;&amp;amp;&lt;/b&gt;")
  }

  @Test func attributesEndWhereTheyEnd() {
    let element = HTML.element("td", ["title": "\"><script>"], "x")
    #expect(element.markup == "<td title=\"&quot;&gt;&lt;script&gt;\">x</td>")
  }

  @Test func elementsNestAndVoidOnesHaveNoEnd() {
    let list = HTML.element("ul", [.element("li", "a"), .element("li", "b")])
    #expect(list.markup == "<ul><li>a</li><li>b</li></ul>")
    #expect(HTML.element("meta", ["charset": "utf-8"]).markup == "<meta charset=\"utf-8\">")
    #expect(HTML.element("path", ["d": "M0,0"]).markup == "<path d=\"M0,0\"/>")
  }

  @Test(arguments: [
    ("1 in 1920000000", "1 in 1,920,000,000"), ("12600", "12,600"), ("0.0182", "0.0182"),
    ("999", "999"), ("0.00012345 %", "0.00012345 %"), ("1286.5", "1,286.5"),
  ])
  func thousandsAreGroupedAndDecimalsAreNot(_ text: String, _ grouped: String) {
    #expect(StudySentences.grouped(text) == grouped)
  }
}
