// A copy-on-write vector for versioned structures: copies share pages of 64 elements, and set() copies a page that another copy shares.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "terrane/base/memory.h"

namespace terrane {

// `T` must be cheap to copy: a number or a pointer. Different copies may be read, written and destroyed on different threads. One copy is
// not thread-safe: while a thread writes to it, no other may read or copy it.
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

    // Memory held, in bytes, without memory that the elements point to. Shared pages are counted in full.
    size_t bytes() const { return pages_.capacity() * sizeof(pages_[0]) + pages_.size() * sizeof(Page); }

private:
    static constexpr size_t kPage = 64;

    struct Page : detail::ScopeAllocated {
        Page() = default;
        explicit Page(const std::array<T, kPage>& copied) : elements(copied) {}

        std::array<T, kPage> elements{};
        std::atomic<uint32_t> owners{1};
    };

    // A shared reference to a page. Not a std::shared_ptr: use_count() is a relaxed load, which synchronises with nothing.
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

        // Whether the page may be written in place. A count of 1 stays 1: only this vector could add an owner, and its thread is here.
        // The acquire load synchronises with the releases of former owners, so all their reads happen before the write.
        bool is_unique() const { return page_->owners.load(std::memory_order_acquire) == 1; }

    private:
        Page* page_ = nullptr;
    };

    size_t size_ = 0;
    Vector<PageRef> pages_;
};

}  // namespace terrane
