// A vector that is cheap to copy and to change a little: copies share pages of 64 elements, and writing to one copies the page
// that it is in. For structures that have versions.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "terrane/base/memory.h"

namespace terrane {

// Copies may be read, written and dropped on different threads; one copy is written by one thread, with no other reading or copying it. `T`
// is cheap to copy: a number or a pointer.
template <class T>
class PagedVector {
public:
    PagedVector() = default;
    explicit PagedVector(size_t size) : size_(size), pages_((size + kPage - 1) / kPage) {
        for (PageRef& page : pages_) page = PageRef(new Page);
    }

    size_t size() const { return size_; }
    const T& operator[](size_t i) const { return pages_[i / kPage]->elements[i % kPage]; }
    void set(size_t i, T value) {
        PageRef& page = pages_[i / kPage];
        if (!page.is_unique()) page = PageRef(new Page(page->elements));
        page->elements[i % kPage] = std::move(value);
    }

    // Without what the elements point to.
    size_t bytes() const { return pages_.capacity() * sizeof(pages_[0]) + pages_.size() * sizeof(Page); }

private:
    static constexpr size_t kPage = 64;

    struct Page : detail::InMemory {
        Page() = default;
        explicit Page(const std::array<T, kPage>& copied) : elements(copied) {}

        std::array<T, kPage> elements{};
        std::atomic<uint32_t> owners{1};
    };

    // Owns a share of a page. Not a std::shared_ptr: its use_count() is a relaxed load, which orders nothing.
    class PageRef {
    public:
        PageRef() = default;
        explicit PageRef(Page* page) : page_(page) {}
        PageRef(const PageRef& other) : page_(other.page_) {
            if (page_ != nullptr) page_->owners.fetch_add(1, std::memory_order_relaxed);
        }
        PageRef(PageRef&& other) noexcept : page_(std::exchange(other.page_, nullptr)) {}
        PageRef& operator=(PageRef other) noexcept {
            std::swap(page_, other.page_);
            return *this;
        }
        ~PageRef() {
            if (page_ != nullptr && page_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete page_;
        }
        Page* operator->() const { return page_; }

        // Whether the page may be written in place. A count of 1 stays 1: only the copy that this belongs to could add an owner, and its
        // thread is here. The load acquires what other owners released when they dropped their shares, so that all their reads come
        // before the write.
        bool is_unique() const { return page_->owners.load(std::memory_order_acquire) == 1; }

    private:
        Page* page_ = nullptr;
    };

    size_t size_ = 0;
    Vector<PageRef> pages_;
};

}  // namespace terrane
