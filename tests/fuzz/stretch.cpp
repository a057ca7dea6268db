// fuzz_stretch NAME SECONDS LONGEST FOLDER...: tries a parser on long inputs, to find quadratic time. Takes the inputs of the folders and
// repeats parts of them until they have a megabyte: unchanged, with a different number in each copy, or nested; may also correct a count.
// Fuzzers rarely find such inputs. Prints the number of inputs and the longest CPU time; writes the input that took it to the file
// LONGEST. Exits with 1 if that was more than a second.
#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "inputs.h"
#include "terrane/base/file.h"
#include "terrane/base/rng.h"

namespace terrane {

namespace {

constexpr double kTooLong = 1;   // seconds
constexpr time_t kHanging = 20;  // seconds, after which the program is ended

// For the signal handler.
std::string current_input;
std::string longest_file;

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Part {
    size_t begin = 0, end = 0;  // of a text; not empty
};

// Returns some bytes, or the text between two equal delimiters: lines, fields, tags, brackets.
Part draw_part(const std::string& text, Rng& rng) {
    const size_t begin = rng.below(static_cast<uint32_t>(text.size()));
    if (rng.chance(1, 4)) return {begin, std::min(text.size(), begin + 1 + rng.below(64))};
    const size_t mark = text.find_first_of("\n,<>{}[]\" ", begin);
    if (mark == std::string::npos) return {begin, begin + 1};
    size_t end = mark;
    for (uint32_t i = rng.below(4) + 1; i > 0 && end != std::string::npos; --i) end = text.find(text[mark], end + 1);
    return {mark, end == std::string::npos ? text.size() : end};
}

// Returns `part` with one of its words replaced by `number`.
std::string numbered(std::string_view part, uint32_t word, uint32_t number) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    std::string out;
    for (size_t at = 0; at < part.size();) {
        const size_t begin = at;
        while (at < part.size() && is_word(part[at]) == is_word(part[begin])) ++at;
        if (is_word(part[begin]) && word-- == 0) {
            out += std::to_string(number);
        } else {
            out += part.substr(begin, at - begin);
        }
    }
    return out;
}

// Replaces one of the numbers in `text`, decimal or four bytes, by `count` or a little more.
void put_count(std::string& text, uint32_t count, Rng& rng) {
    count += rng.below(12);
    const size_t digit = text.find_first_of("0123456789", rng.below(static_cast<uint32_t>(text.size())));
    if (digit != std::string::npos && rng.chance(3, 4)) {
        const size_t end = std::min(text.size(), text.find_first_not_of("0123456789", digit));
        text.replace(digit, end - digit, std::to_string(count));
    } else if (text.size() >= 4) {
        const size_t at = rng.below(static_cast<uint32_t>(text.size() - 3));
        for (size_t i = 0; i < 4; ++i) text[at + i] = static_cast<char>(count >> (8 * i));
    }
}

std::string stretched(const std::string& text, uint32_t bytes, Rng& rng) {
    if (text.empty() || text.size() >= bytes) return text;
    const Part part = draw_part(text, rng);
    const std::string one = text.substr(part.begin, part.end - part.begin);
    std::string head = text.substr(0, part.end), tail = text.substr(part.end), middle;
    const auto free_bytes = static_cast<uint32_t>(bytes - text.size());
    uint32_t copies = 0;
    if (!tail.empty() && rng.chance(1, 4)) {  // nested
        const Part inner = draw_part(tail, rng);
        const std::string other = tail.substr(inner.begin, inner.end - inner.begin);
        copies = free_bytes / static_cast<uint32_t>(one.size() + other.size());
        std::string back;
        for (uint32_t i = 0; i < copies; ++i) middle += one, back += other;
        tail.insert(inner.end, back);
    } else {
        const bool own = rng.chance(1, 2);
        for (const uint32_t word = rng.below(6); middle.size() + one.size() <= free_bytes; ++copies)
            middle += own ? numbered(one, word, copies) : one;
    }
    if (rng.chance(1, 2)) put_count(head, copies, rng);
    return head + middle + tail;
}

double time_of(fuzz::Function function, const std::string& input) {
    itimerval limit{};
    limit.it_value.tv_sec = kHanging;
    setitimer(ITIMER_PROF, &limit, nullptr);
    const double begin = cpu_seconds();
    fuzz::run(function, input);
    return cpu_seconds() - begin;
}

// Stores an input that hangs, and exits.
extern "C" void on_hanging(int) {
    std::FILE* file = std::fopen(longest_file.c_str(), "wb");
    if (file != nullptr) {
        std::fwrite(current_input.data(), 1, current_input.size(), file);
        std::fclose(file);
    }
    std::fprintf(stderr, "an input took more than %d s: %s\n", static_cast<int>(kHanging), longest_file.c_str());
    std::_Exit(1);
}

int run(fuzz::Function function, double seconds, const std::vector<fuzz::Input>& seeds) {
    Rng rng(1);
    double longest = 0;
    uint64_t tried = 0;
    for (const double end = cpu_seconds() + seconds; cpu_seconds() < end; ++tried) {
        const std::string& seed = seeds[rng.below(static_cast<uint32_t>(seeds.size()))].bytes;
        const std::string wider = rng.chance(1, 3) ? stretched(seed, 1 << (6 + rng.below(12)), rng) : seed;  // repeats two different parts
        current_input = stretched(wider, fuzz::kMaxBytes, rng);
        const double took = time_of(function, current_input);
        if (took <= longest) continue;
        longest = took;
        if (!write_file(longest_file, current_input)) return std::fprintf(stderr, "cannot write %s\n", longest_file.c_str()), 2;
    }
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    std::printf("%8llu inputs, the longest took %.3f s, %ld MB at most\n", static_cast<unsigned long long>(tried), longest,
                used.ru_maxrss / 1024);
    return longest > kTooLong ? 1 : 0;
}

}  // namespace

}  // namespace terrane

int main(int argc, char** argv) {
    using namespace terrane;
    const fuzz::Function function = argc >= 5 ? fuzz::find_function(argv[1]) : nullptr;
    if (function == nullptr) {
        std::fprintf(stderr, "usage: %s NAME SECONDS LONGEST FOLDER...; NAME: %s\n", argv[0], fuzz::function_names().c_str());
        return 2;
    }
    longest_file = argv[3];
    std::signal(SIGPROF, on_hanging);
    auto seeds = fuzz::read_inputs({argv + 4, static_cast<size_t>(argc - 4)});
    std::erase_if(seeds, [](const fuzz::Input& input) { return input.bytes.empty(); });
    if (seeds.empty()) return std::fprintf(stderr, "%s: no inputs\n", argv[0]), 2;
    return run(function, std::atof(argv[2]), seeds);
}
