// Random documents and queries whose meaning is known without the code under test, and what a scan finds.
#pragma once
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "search/grammar/query.h"

namespace tradepost::test {

using Words = std::vector<std::string>;

// Queries as people write them, with the words that they mean (API rules, "Search"). Not computed by the code under test.
struct Written {
    std::string text;
    Words words;
};

inline const std::string long_word(90, 'x');

inline const std::vector<Written> vocabulary{{"the", {"the"}},
                                             {"The", {"the"}},
                                             {"VW", {"vw"}},
                                             {"vw", {"vw"}},
                                             {"3D", {"3d"}},
                                             {"c", {"c"}},
                                             {"C++", {"c"}},
                                             {"a", {"a"}},
                                             {"www", {"www"}},
                                             {"of", {"of"}},
                                             {"state-of-the-art", {"state", "of", "the", "art"}},
                                             {"O'Brien", {"o", "brien"}},
                                             {"golf", {"golf"}},
                                             {"golfer", {"golfer"}},
                                             {"café", {"cafe"}},
                                             {"CAFE\u0301", {"cafe"}},
                                             {"Жук", {"жук"}},
                                             {"жуки", {"жуки"}},
                                             {"日本", {"日", "本"}},
                                             {"本日", {"本", "日"}},
                                             {"日", {"日"}},
                                             {"한국", {"한국"}},
                                             {"한국어", {"한국어"}},
                                             {"tok", {"tok"}},
                                             {"a_b", {"a", "b"}},
                                             {long_word, {long_word}},
                                             {long_word + "y", {long_word + "y"}},
                                             {"xxxx", {"xxxx"}}};

inline const Words prefixes{"t", "th",   "v",  "vw", "golf", "golfe", "g", "c",    "ca", "жук",
                            "ж", "한국", "한", "3",  "a",    "to",    "x", "xxxx", "w",  "o"};

struct Document {
    std::vector<std::string> fields;
    std::vector<Words> words;  // of each field
};

inline bool holds(const Document& document, const search::Term& term) {
    return std::any_of(document.words.begin(), document.words.end(), [&](const Words& words) {
        if (!term.prefix) return std::search(words.begin(), words.end(), term.words.begin(), term.words.end()) != words.end();
        return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return word.starts_with(term.words[0]); });
    });
}

// A q and what it asks for.
struct Asked {
    std::string q;
    search::Query meaning;
};

class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}
    std::size_t below(std::size_t end) { return random_() % end; }

    Document document() {
        Document document;
        for (int field = 0; field < 3; ++field) {
            document.fields.emplace_back();
            document.words.emplace_back();
            for (std::size_t n = below(6); n > 0; --n) append(document.fields.back(), document.words.back());
        }
        return document;
    }

    Asked asked() {
        Asked asked;
        for (std::size_t n = 1 + below(3); n > 0; --n) add_term(asked.q, asked.meaning.required);
        for (std::size_t n = below(4); n > 1; --n) {
            asked.q += " -";
            std::string term;
            add_term(term, asked.meaning.excluded.emplace_back());
            asked.q += term;
        }
        return asked;
    }

private:
    void append(std::string& text, Words& words) {
        const Written& written = vocabulary[below(vocabulary.size())];
        if (!text.empty()) text += ' ';
        text += written.text;
        words.insert(words.end(), written.words.begin(), written.words.end());
    }

    void add_term(std::string& q, std::vector<search::Term>& terms) {
        if (!q.empty()) q += ' ';
        const std::size_t kind = below(10);
        if (kind < 4) {
            const Written& written = vocabulary[below(vocabulary.size())];
            q += written.text;
            // Ideographs in a row are a phrase, other words of one term are required each for itself.
            if (written.words[0].size() == 3) {
                terms.push_back({written.words});
            } else {
                for (const std::string& word : written.words) terms.push_back({{word}});
            }
        } else if (kind < 7) {
            std::string text;
            search::Term phrase;
            for (std::size_t n = 1 + below(3); n > 0; --n) append(text, phrase.words);
            q += '"' + text + '"';
            terms.push_back(phrase);
        } else {
            const std::string& prefix = prefixes[below(prefixes.size())];
            q += prefix + '*';
            terms.push_back({{prefix}, true});
        }
    }

    std::mt19937 random_;
};

}  // namespace tradepost::test
