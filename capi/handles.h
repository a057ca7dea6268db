// What the handles of terrane_c.h are, and what all of its functions share.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/attempt.h"
#include "terrane/terrane.h"
#include "terrane_c.h"

namespace terrane::capi {

// The hooks of a world's options.
struct Hooks final : Memory {
    explicit Hooks(const terrane_world_options& options) : given(options) {}
    void* allocate(size_t bytes, size_t alignment) override { return given.allocate(given.user, bytes, alignment); }
    void deallocate(void* pointer, size_t bytes, size_t alignment) override { given.deallocate(given.user, pointer, bytes, alignment); }
    terrane_world_options given;
};

}  // namespace terrane::capi

struct terrane_world {
    terrane_world(std::unique_ptr<terrane::capi::Hooks>&& with, std::unique_ptr<terrane::World>&& made)
        : hooks(std::move(with)), owned(std::move(made)), world(*owned) {}
    std::unique_ptr<terrane::capi::Hooks> hooks;  // null where there are none
    std::unique_ptr<terrane::World> owned;
    terrane::World& world;
    std::vector<uint32_t> repaired;  // by the last edit: sectors of the first size
};

struct terrane_profile {
    terrane::Profile profile;
    bool out_of_memory = false;  // and so not what the caller wants
};

struct terrane_path {
    terrane::Path path;
    size_t first = 0;    // of its cells: those of the first segment
    bool asked = false;  // some query was put into it
};

namespace terrane::capi {

// Bytes of a struct's first version, which every program has of it; and the most that a later version could have.
template <class T>
inline constexpr size_t kFirstSize = sizeof(T);
template <>
inline constexpr size_t kFirstSize<terrane_world_options> = offsetof(terrane_world_options, no_regions) + sizeof(uint32_t);
template <>
inline constexpr size_t kFirstSize<terrane_crowd_info> = offsetof(terrane_crowd_info, code);
template <>
inline constexpr size_t kFirstSize<terrane_field_info> = offsetof(terrane_field_info, x);
inline constexpr size_t kLargestSize = 4096;

// Whether `size` can be a sizeof of some version.
template <class T>
bool has_size(const T& given) {
    return given.size >= kFirstSize<T> && given.size <= kLargestSize;
}
// "terrane_edit.size is 0: set it to sizeof(terrane_edit), 24"
Error wrong_size(const char* name, uint32_t size, size_t expected);

// An options struct as this version knows it: what the caller has of it, zero for the rest. Refused where its size is wrong. `name` is the
// struct's.
template <class T>
Result<T> options_of(const T* given, const char* name) {
    T all{};
    if (given == nullptr) return all;
    if (!has_size(*given)) return wrong_size(name, given->size, sizeof(T));
    std::memcpy(&all, given, std::min<size_t>(given->size, sizeof(T)));
    return all;
}

// Gives a struct to the caller, as far as the caller knows it; its `size` stays. Where that is wrong, TERRANE_BAD_VALUE, and the fields of
// the first version, which the caller must have, get `refused`.
template <class T>
terrane_code give(const T& value, T* out, const T& refused = {}) {
    if (out == nullptr) return TERRANE_BAD_VALUE;
    const uint32_t size = out->size;
    const bool known = has_size(*out);
    std::memcpy(out, known ? &value : &refused, known ? std::min<size_t>(size, sizeof(T)) : kFirstSize<T>);
    out->size = size;
    return known ? TERRANE_OK : TERRANE_BAD_VALUE;
}

// Copies a list, as far as there is room; how long it is.
template <class T>
size_t give_list(std::span<const T> list, T* out, size_t capacity) {
    if (out != nullptr) std::copy_n(list.begin(), std::min(list.size(), capacity), out);
    return list.size();
}

// Writes a list that is made element by element, as far as there is room, and counts it.
template <class T>
class ListWriter {
public:
    ListWriter(T* out, size_t capacity) : out_(out), capacity_(out == nullptr ? 0 : capacity) {}
    void add(const T& element) {
        if (count_ < capacity_) out_[count_] = element;
        ++count_;
    }
    size_t count() const { return count_; }

private:
    T* out_;
    size_t capacity_;
    size_t count_ = 0;
};

// Fills `out`, where there is one; the code, so that one can `return refuse(...)`.
terrane_code refuse(const Error& error, terrane_error* out);
// The same for a value that cannot be.
terrane_code refuse(std::string reason, terrane_error* out);
// Refuses an `out` whose size is wrong, before anything is done; NULL is TERRANE_OK.
template <class T>
terrane_code check_out(T* out, const char* name, terrane_error* error) {
    if (out == nullptr || has_size(*out)) return TERRANE_OK;
    const uint32_t size = out->size;
    static_cast<void>(give(T{}, out));
    return refuse(wrong_size(name, size, sizeof(T)), error);
}
// For a handle that is NULL where there must be one.
terrane_code refuse_null(terrane_error* out);
// For memory that cannot be had; needs none.
terrane_code refuse_no_memory(terrane_error* out);

// work(), which answers with a terrane_code; or TERRANE_NO_MEMORY.
template <class Work>
terrane_code guarded(terrane_error* error, Work&& work) {
    return detail::attempt([&]() -> terrane_code { return work(); }, [&] { return refuse_no_memory(error); });
}
// work(), which answers with something else; or `none`, where memory ran out.
template <class T, class Work>
T guarded_or(T none, terrane_error* error, Work&& work) {
    return detail::attempt([&]() -> T { return work(); }, [&] { return refuse_no_memory(error), none; });
}

// The text of a char array of a struct, up to its 0 or its end.
template <size_t kLength>
std::string_view text_of(const char (&chars)[kLength]) {
    return {chars, static_cast<size_t>(std::find(chars, chars + kLength, '\0') - chars)};
}

inline std::string_view text_or_empty(const char* text) { return text == nullptr ? std::string_view() : std::string_view(text); }

inline Cell cell_of(terrane_cell cell) { return {cell.x, cell.y}; }
inline terrane_cell cell_to(Cell cell) { return {cell.x, cell.y}; }
Rect rect_of(terrane_rect rect);  // empty where a side is negative; cut where it ends beyond all maps
inline terrane_rect rect_to(const Rect& rect) { return {rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top}; }

// Refused where it is none.
Result<Movement> movement_of(uint32_t movement);
// One without a name for an empty text; refused where there is no such method.
Result<Method> method_of(std::string_view name);

// A text of the i-th of a list of methods; null from the end of the list on.
template <class Methods>
const char* info_text(const Methods& methods, uint32_t i, const char* MethodInfo::*text) {
    return i < methods.size() ? methods[i]->info.*text : nullptr;
}

inline Result<CostTable> costs_of(const terrane_profile& profile, const terrane_world& world) {
    if (profile.out_of_memory) return Error{ErrorCode::kNoMemory, {}, 0, "there was no memory for a cost of this profile"};
    return profile.profile.compile(world.world.grid().catalogue());
}

inline terrane_status status_to(Status status) { return static_cast<terrane_status>(status); }

}  // namespace terrane::capi
