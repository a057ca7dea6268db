// The handles of terrane_c.h, and helpers that its functions share: versioned structs, lists, errors, conversions.
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

#include "base/catch_bad_alloc.h"
#include "terrane/terrane.h"
#include "terrane_c.h"

namespace terrane::capi {

// The allocator of a world's options.
struct UserAllocator final : Memory {
    explicit UserAllocator(const terrane_world_options& options) : given(options) {}
    void* allocate(size_t bytes, size_t alignment) override { return given.allocate(given.user, bytes, alignment); }
    void deallocate(void* pointer, size_t bytes, size_t alignment) override { given.deallocate(given.user, pointer, bytes, alignment); }
    terrane_world_options given;
};

// A handle that other handles depend on. It lives until its own free function was called and all handles that share() it are freed, in any
// order and on any threads.
template <class T>
class SharedHandle : public std::enable_shared_from_this<T> {
public:
    template <class... Arguments>
    static T* make(Arguments&&... arguments) {
        const auto made = std::make_shared<T>(std::forward<Arguments>(arguments)...);
        made->self_ = made;
        return made.get();
    }
    // For terrane_..._free(); accepts null.
    static void free(T* handle) {
        if (handle != nullptr) const std::shared_ptr<T> last = std::move(handle->self_);
    }
    std::shared_ptr<const T> share() const { return this->shared_from_this(); }

private:
    friend T;
    SharedHandle() = default;
    std::shared_ptr<T> self_;
};

}  // namespace terrane::capi

struct terrane_world : terrane::capi::SharedHandle<terrane_world> {
    terrane_world(std::unique_ptr<terrane::capi::UserAllocator>&& with, std::unique_ptr<terrane::World>&& made)
        : allocator(std::move(with)), owned(std::move(made)), world(*owned) {}
    std::unique_ptr<terrane::capi::UserAllocator> allocator;  // null: operator new
    std::unique_ptr<terrane::World> owned;
    terrane::World& world;
    std::vector<uint32_t> repaired;        // by the last edit: sectors of the first sector size
    std::vector<terrane::WatchId> broken;  // by the last edit
};

struct terrane_profile {
    terrane::Profile profile;
    bool out_of_memory = false;  // allocation failed for a cost, so using the profile fails
};

struct terrane_path {
    terrane::Path path;
    size_t first = 0;         // length of the prefix that was ready first
    bool has_result = false;  // a query has written it
};

namespace terrane::capi {

// The size of a struct's first version, which every caller has at least, and the maximum size of later versions.
template <class T>
inline constexpr size_t kFirstSize = sizeof(T);
inline constexpr size_t kLargestSize = 4096;

// Whether `size` is valid for some version of the struct.
template <class T>
bool has_size(const T& given) {
    return given.size >= kFirstSize<T> && given.size <= kLargestSize;
}
// "terrane_edit.size is 0: set it to sizeof(terrane_edit), 24"
Error wrong_size(const char* name, uint32_t size, size_t expected);

// Returns an options struct of this version: the fields that the caller has, zero for the rest. Fails if its size is wrong. `name` is that
// of the struct.
template <class T>
Result<T> options_of(const T* given, const char* name) {
    T all{};
    if (given == nullptr) return all;
    if (!has_size(*given)) return wrong_size(name, given->size, sizeof(T));
    std::memcpy(&all, given, std::min<size_t>(given->size, sizeof(T)));
    return all;
}

// Writes the fields of a struct that the caller's version has, and keeps its `size`. If `size` is wrong, returns false and writes `refused`
// to the fields of the first version.
template <class T>
bool write_struct(const T& value, T* out, const T& refused = {}) {
    const uint32_t size = out->size;
    const bool known = has_size(*out);
    std::memcpy(out, known ? &value : &refused, known ? std::min<size_t>(size, sizeof(T)) : kFirstSize<T>);
    out->size = size;
    return known;
}

// Copies as many elements as fit and returns the length of the list.
template <class T>
size_t copy_list(std::span<const T> list, T* out, size_t capacity) {
    if (out != nullptr) std::copy_n(list.begin(), std::min(list.size(), capacity), out);
    return list.size();
}

// Writes a list element by element, as many as fit, and counts all of them.
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

// Fills in `out`, if it is not null, and returns the code: `return refuse(...)`.
terrane_code refuse(const Error& error, terrane_error* out);
// The same with TERRANE_BAD_VALUE.
terrane_code refuse(std::string reason, terrane_error* out);
// For a required argument that is NULL.
terrane_code refuse_null(terrane_error* out);
// For a terrain that is not in a catalogue of `terrains`.
terrane_code refuse_terrain(uint32_t terrain, uint32_t terrains, terrane_error* out);
// For an allocation failure; allocates nothing.
terrane_code refuse_no_memory(terrane_error* out);
// Answers with a struct: write_struct(), or an error if `out` is NULL or its size is wrong.
template <class T>
terrane_code answer(const T& value, T* out, const char* name, terrane_error* error, const T& refused = {}) {
    if (out == nullptr) return refuse_null(error);
    const uint32_t size = out->size;
    return write_struct(value, out, refused) ? terrane_code{TERRANE_OK} : refuse(wrong_size(name, size, sizeof(T)), error);
}
// The same for a call that fails because a handle is NULL.
template <class T>
terrane_code answer_null(T* out, terrane_error* error, const T& refused = {}) {
    if (out != nullptr) static_cast<void>(write_struct(refused, out, refused));
    return refuse_null(error);
}
// Validates the size of an output struct before the call changes anything. TERRANE_OK for NULL.
template <class T>
terrane_code check_out(T* out, const char* name, terrane_error* error) {
    if (out == nullptr || has_size(*out)) return TERRANE_OK;
    return answer(T{}, out, name, error);
}

// Returns work(), a terrane_code, or TERRANE_NO_MEMORY on allocation failure.
template <class Work>
terrane_code guarded(terrane_error* error, Work&& work) {
    return detail::catch_bad_alloc([&]() -> terrane_code { return work(); }, [&] { return refuse_no_memory(error); });
}
// Returns work(), or `none` on allocation failure.
template <class T, class Work>
T guarded_or(T none, terrane_error* error, Work&& work) {
    return detail::catch_bad_alloc([&]() -> T { return work(); }, [&] { return refuse_no_memory(error), none; });
}

// The string in a char array of a struct: up to its 0 byte, or the whole array.
template <size_t kLength>
std::string_view text_of(const char (&chars)[kLength]) {
    return {chars, static_cast<size_t>(std::find(chars, chars + kLength, '\0') - chars)};
}

inline std::string_view text_or_empty(const char* text) { return text == nullptr ? std::string_view() : std::string_view(text); }

inline Cell cell_of(terrane_cell cell) { return {cell.x, cell.y}; }
inline terrane_cell cell_to(Cell cell) { return {cell.x, cell.y}; }
inline Rect rect_of(terrane_rect rect) { return {{rect.x, rect.y}, {rect.width, rect.height}}; }
// The budget of a slice.
inline uint64_t budget_of(uint32_t budget) { return budget == TERRANE_UNLIMITED ? kUnlimited : budget; }
inline terrane_rect rect_to(const Rect& rect) { return {rect.x, rect.y, rect.width, rect.height}; }

// Fails for an invalid value.
Result<Movement> movement_of(uint32_t movement);
// No method for an empty name; fails for an unknown one.
Result<Method> method_of(std::string_view name);

// A string of the i-th method; null if i is out of range.
template <class Methods>
const char* info_text(const Methods& methods, uint32_t i, const char* MethodInfo::*text) {
    return i < methods.size() ? methods[i]->info.*text : nullptr;
}

inline Result<CostTable> costs_of(const terrane_profile& profile, const Catalogue& catalogue) {
    if (profile.out_of_memory)
        return Error{ErrorCode::kNoMemory, {}, 0, "allocation failed for a cost of this profile: create the profile again"};
    return profile.profile.compile(catalogue);
}
inline Result<CostTable> costs_of(const terrane_profile& profile, const terrane_world& world) {
    return costs_of(profile, world.world.grid().catalogue());
}

// The current map for an agent; fails for an unknown movement rule and a profile that does not match the world.
Result<Ground> ground_of(const terrane_world& world, const terrane_profile& profile, uint32_t movement);

// Writes a path that was found in one piece.
inline void set_path(terrane_path& out, Path found) {
    out.first = found.cells.size();
    out.path = std::move(found);
    out.has_result = true;
}

inline terrane_status status_to(Status status) { return static_cast<terrane_status>(status); }

}  // namespace terrane::capi
