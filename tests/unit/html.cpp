// The text of pages that an import reads.
#include "ctl/import/html.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_CASE(text_of_html) {
    const std::pair<const char*, const char*> table[] = {
        {"", ""},
        {"plain & simple", "plain & simple"},
        {"first\n\nsecond\r\n\r\n\r\n\r\nthird", "first\n\nsecond\n\nthird"},
        {"<p>one</p><p class='a > b'>two</p>", "one\n\ntwo"},
        {"<h2>Head</h2>\n<P>text<BR/>more", "Head\n\ntext\nmore"},
        {"<ul>\n<li>a</li>\n<li>b <a href=\"https://x.example\">c</a></li></ul>", "- a\n\n- b c"},
        {"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"},
        {"a<!-- b > c -->d<!-- open", "ad"},
        {"a<script>if (1 < 2) x = '</p>';</SCRIPT>b<style>i{}</style>c<script>", "abc"},
        {"1 < 2 and 3 > 2, a<b", "1 < 2 and 3 > 2, a<b"},
        {"&lt;p&gt; &amp;lt; &quot;&#39;&#x2019;&hellip;&nbsp;.", "<p> &lt; \"'’… ."},
        {"&nothing; &; &#; &#xD800; &#0; &#1114112; &amp", "&nothing; &; &#; &#xD800; &#0; &#1114112; &amp"},
        {"<img src=x onerror=alert(1)>a<b>b</b>c", "abc"},
        {"  <p>  a  b  </p>  ", "a  b"},
        {"<", "<"},
        {"</", "</"},
        {"<!", "<!"},
        {"<p", "<p"},
        {"<p title=\"", "<p title=\""},
    };
    for (const auto& [html, text] : table)
        BOOST_TEST(tradepost::ctl::text_of_html(html) == text, html << ": " << tradepost::ctl::text_of_html(html));
}
