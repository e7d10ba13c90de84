// SPDX-License-Identifier: MIT
//
// A benchmark that shares no code with `assay bench`, to check its rates: each library is called as its users call it.
//
//   scripts/amalgamate --out . && cc -O2 -c utf8_assay.c
//   c++ -std=c++17 -O2 -I. -DWITH_SIMDUTF -DWITH_ICU harnesses/assay/bench/independent.cpp utf8_assay.o -lsimdutf
//   -licuuc -o independent ./independent SECONDS corpus/text/en-latin.txt corpus/text/ru-cyrillic.txt
//
// Each text becomes 256 strings of 128 KiB, pieces of the file from random places, at any address; outputs are at any
// address, too. The libraries take turns of 1 ms, of which the first 0.1 ms do not count: after 1 ms without
// instructions on 512 bits, the first 20 us or more with them are slow, and a library that runs longer alone is fast on
// text that branch predictors have memorised. Times are counted in cycles, as long as a chain of dependent operations
// before and after the turn says; a turn in which they change by 1 % does not count. Printed: cycles a byte by the
// least time of each string, and GB/s at the fastest clock. `assay bench --long` prints cycles a byte, too.
#include "utf8_assay.h"

#ifdef WITH_SIMDUTF
#include <simdutf.h>
#endif
#ifdef WITH_ICU
#include <unicode/ustring.h>
#endif
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iconv.h>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

using Clock = std::chrono::steady_clock;

static constexpr size_t STRINGS = 256, LENGTH = 1 << 17, LINE = 64;
static constexpr double NEVER = 1e18; // cycles of a string that no turn counts of

struct Text {
    const char *bytes;
    size_t count;
    char16_t *out;
};

struct Library {
    std::string name;
    std::function<size_t(Text)> call;
    std::vector<double> least = std::vector<double>(STRINGS, NEVER); // cycles
    size_t next = 0;                                                 // string
};

static double nanoseconds(Clock::duration time)
{
    return std::chrono::duration<double, std::nano>(time).count();
}

static bool is_inside(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

static std::string pieces_of(const std::string &file, std::mt19937 &random)
{
    std::string text;
    while (text.size() < LENGTH) {
        size_t begin = random() % file.size(), end = std::min(file.size(), begin + 256 + random() % 768);
        while (begin < file.size() && is_inside(file[begin]))
            begin++;
        while (end < file.size() && is_inside(file[end]))
            end++;
        text.append(file, begin, end - std::min(begin, end));
    }
    size_t count = LENGTH;
    while (is_inside(text[count]))
        count--;
    return text.substr(0, count);
}

static std::vector<Library> libraries()
{
    const size_t room = LENGTH;
    static const iconv_t descriptor = iconv_open("UTF-16LE", "UTF-8");
    std::vector<Library> all;
    all.push_back({"validate utf8_assay", [](Text text) -> size_t {
                       return utf8_assay_validate(UTF8_ASSAY_UTF_8, text.bytes, text.count, nullptr);
                   }});
    all.push_back({"to-utf16 utf8_assay", [=](Text text) -> size_t {
                       return utf8_assay_convert(UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_16, UTF8_ASSAY_STRICT, text.bytes,
                                                 text.count, text.out, room)
                           .written;
                   }});
#ifdef WITH_SIMDUTF
    all.push_back(
        {"validate simdutf", [](Text text) -> size_t { return simdutf::validate_utf8(text.bytes, text.count); }});
    all.push_back({"to-utf16 simdutf", [](Text text) -> size_t {
                       return simdutf::convert_utf8_to_utf16le(text.bytes, text.count, text.out);
                   }});
#endif
#ifdef WITH_ICU
    all.push_back({"to-utf16 icu", [=](Text text) -> size_t {
                       int32_t count = 0;
                       UErrorCode error = U_ZERO_ERROR;
                       u_strFromUTF8(reinterpret_cast<UChar *>(text.out), static_cast<int32_t>(room), &count,
                                     text.bytes, static_cast<int32_t>(text.count), &error);
                       return count;
                   }});
#endif
    all.push_back({"to-utf16 iconv", [=](Text text) -> size_t {
                       char *from = const_cast<char *>(text.bytes), *to = reinterpret_cast<char *>(text.out);
                       size_t from_left = text.count, to_left = room * 2;
                       iconv(descriptor, &from, &from_left, &to, &to_left);
                       return to_left;
                   }});
    return all;
}

static volatile size_t used;

// A cycle now, in nanoseconds. An exclusive or takes one of them. Any of four ports does it, so that a thread on the
// other half of the core does not delay it, as it delays multiplications. Of a few series the shortest counts, since an
// interrupt lengthens one.
#define STEP \
    value ^= i; \
    __asm__ volatile("" : "+r"(value));
static double cycle_ns()
{
    constexpr size_t STEPS = 12288;
    double least = 1e9;
    for (int series = 0; series < 4; series++) {
        size_t value = used;
        const Clock::time_point begin = Clock::now();
        for (size_t i = 0; i < STEPS / 8; i++) {
            STEP STEP STEP STEP STEP STEP STEP STEP
        }
        least = std::min(least, nanoseconds(Clock::now() - begin) / STEPS);
    }
    return least;
}

static void take_turn(Library &library, const std::vector<Text> &texts, double clock_ns, double &fastest_ns)
{
    std::vector<std::pair<size_t, double>> taken; // string, nanoseconds
    const double cycle_before = cycle_ns();
    const Clock::time_point begin = Clock::now();
    while (nanoseconds(Clock::now() - begin) < 1e6) {
        const size_t i = library.next++ % texts.size();
        for (size_t at = 0; at < texts[i].count; at += LINE)
            used = used + static_cast<unsigned char>(texts[i].bytes[at]);
        const Clock::time_point before = Clock::now();
        used = used + library.call(texts[i]);
        const Clock::time_point after = Clock::now();
        if (nanoseconds(before - begin) > 0.1e6)
            taken.emplace_back(i, nanoseconds(after - before) - clock_ns);
    }
    const double cycle_after = cycle_ns(), cycle = std::min(cycle_before, cycle_after);
    fastest_ns = std::min(fastest_ns, cycle);
    for (const auto &[string, time] : taken)
        if (std::max(cycle_before, cycle_after) < 1.01 * cycle)
            library.least[string] = std::min(library.least[string], time / cycle);
}

static void measure(const char *path, double seconds)
{
    std::ifstream stream(path, std::ios::binary);
    const std::string file((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (file.empty()) {
        std::fprintf(stderr, "%s: cannot be read, or is empty\n", path);
        std::exit(2);
    }
    std::mt19937 random(7);
    std::vector<char> memory(STRINGS * (LENGTH + LINE));
    std::vector<char16_t> out(LENGTH + LINE);
    std::vector<Text> texts;
    for (size_t i = 0; i < STRINGS; i++) {
        const std::string text = pieces_of(file, random);
        char *at = &memory[i * (LENGTH + LINE) + random() % LINE];
        std::copy(text.begin(), text.end(), at);
        texts.push_back({at, text.size(), &out[random() % (LINE / 2)]});
    }
    double clock_ns = 1e9;
    for (int i = 0; i < 1000; i++) {
        const Clock::time_point before = Clock::now();
        clock_ns = std::min(clock_ns, nanoseconds(Clock::now() - before));
    }
    double fastest_ns = 1e9;
    std::vector<Library> all = libraries();
    const Clock::time_point begin = Clock::now();
    do
        for (Library &library : all)
            take_turn(library, texts, clock_ns, fastest_ns);
    while (nanoseconds(Clock::now() - begin) < seconds * 1e9);
    for (const Library &library : all) {
        double sum = 0, byte_count = 0;
        size_t timed = 0;
        for (size_t i = 0; i < STRINGS; i++)
            if (library.least[i] < NEVER) {
                sum += library.least[i];
                byte_count += static_cast<double>(texts[i].count);
                timed++;
            }
        std::printf("%s %s %.4f cycles a byte, %.2f GB/s at %.2f GHz, %zu of %zu strings\n", path, library.name.c_str(),
                    sum / byte_count, byte_count / sum / fastest_ns, 1 / fastest_ns, timed, STRINGS);
    }
}

int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        measure(argv[i], std::atof(argv[1]));
}
