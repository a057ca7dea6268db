// Validators for numbers on the command line. They refuse NaN, infinity, signs and overflow.
#pragma once
#include <CLI/CLI.hpp>

namespace terrane::cli {

// A finite real number from `low` to `high`, both included.
CLI::Validator real_in(double low, double high);
// A finite real number from `low` to below `high`.
CLI::Validator real_below(double low, double high);
// A finite real number above 0.
CLI::Validator real_above_zero();
// A whole number from 0 to 2^64 - 1. CLI11 by itself reads -1 as 2^64 - 1 and accepts larger numbers.
CLI::Validator whole_number();
// Makes an option accept a number of bytes such as 500MB.
CLI::Option* as_bytes(CLI::Option* option);

}  // namespace terrane::cli
