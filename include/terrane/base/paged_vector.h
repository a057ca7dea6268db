// A vector that is cheap to copy and to change a little: copies share pages of 64 elements, and writing to one copies the page
// that it is in. For structures that have versions.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "terrane/base/memory.h"

namespace terrane {

// Copies may be read, written and dropped on different threads; one copy is written by one thread, with nobody reading it. `T` is cheap to
// copy: a number or a pointer.
template <class T>
class PagedVector {
public:
    PagedVector() = default;
    explicit PagedVector(size_t size) : size_(size), pages_((size + kPage - 1) / kPage) {
        for (auto& page : pages_) page = share<Page>();
    }

    size_t size() const { return size_; }
    const T& operator[](size_t i) const { return (*pages_[i / kPage])[i % kPage]; }
    void set(size_t i, T value) {
        std::shared_ptr<Page>& page = pages_[i / kPage];
        if (page.use_count() > 1) page = share<Page>(*page);
        (*page)[i % kPage] = std::move(value);
    }

    // Without what the elements point to.
    size_t bytes() const { return pages_.capacity() * sizeof(pages_[0]) + pages_.size() * sizeof(Page); }

private:
    static constexpr size_t kPage = 64;
    using Page = std::array<T, kPage>;
    size_t size_ = 0;
    Vector<std::shared_ptr<Page>> pages_;
};

}  // namespace terrane
