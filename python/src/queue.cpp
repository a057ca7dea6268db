// Many requests, one budget.
#include <limits>

#include "query.h"

namespace terrane::python {

namespace {

struct QueueHandle {
    QueueHandle(WorldHandle& in, const RequestQueueOptions& options) : world(in), queue(in.world, options) {}
    WorldHandle& world;
    RequestQueue queue;
    bool busy = false;
};

RequestId add(QueueHandle& self, const py::object& start, const py::object& goal, const py::object& profile, const py::object& method,
              const py::object& priority, const std::string& movement, const py::object& max_expansions, bool nearest,
              const py::object& bound, bool fallback) {
    const Busy busy(self.busy, "queue");
    const Query query = query_of(self.world, profile, method, movement, max_expansions, nearest, bound, fallback);
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    const auto how_urgent = static_cast<int32_t>(whole_of(priority, "priority", -kMost, kMost));
    return self.queue.add(cell_of(start, "start"), cell_of(goal, "goal"), query.costs, query.options, how_urgent);
}

}  // namespace

void bind_queue(py::module_& m) {
    py::class_<QueueHandle>(m, "RequestQueue", R"(Many requests for paths, by priority, under one budget of expansions a frame.

RequestQueue(world, searches=5)

The most urgent request is worked on first, of equals the one that came first, each until it is answered. `searches` may be under way at a
time: the one worked on, and those paused for one more urgent. A queue belongs to one thread.

>>> world = terrane.generate("island", size=128, seed=7)
>>> queue = terrane.RequestQueue(world)
>>> request = queue.add((30, 60), (90, 70), "deer", priority=10)
>>> frames = 0
>>> while not queue.done(request):
...     spent = queue.run(500)
...     frames += 1
>>> queue.take(request).status
'found')")
        .def(py::init([](WorldHandle& world, const py::object& searches) {
                 RequestQueueOptions options;
                 options.searches = static_cast<size_t>(whole_of(searches, "searches", 1, 1024));
                 return std::make_unique<QueueHandle>(world, options);
             }),
             py::arg("world"), py::arg("searches") = 5, py::keep_alive<1, 2>())
        .def("add", &add, py::arg("start"), py::arg("goal"), py::arg("profile"), py::arg("method") = py::none(), py::kw_only(),
             py::arg("priority") = 0, py::arg("movement") = "eight", py::arg("max_expansions") = py::none(), py::arg("nearest") = false,
             py::arg("bound") = py::none(), py::arg("fallback") = false,
             "Adds a request and returns its number; nothing is searched yet. Greater priorities are more urgent.")
        .def(
            "run",
            [](QueueHandle& self, const py::object& budget) {
                const Busy busy(self.busy, "queue");
                uint64_t left = budget_of(budget, "budget"), spent = 0;
                run_slices([&] {
                    const uint64_t now = self.queue.run(std::min(left, kSlice));
                    spent += now, left -= std::min(left, now);
                    return left == 0 || now == 0 || self.queue.waiting() == 0;
                });
                return spent;
            },
            py::arg("budget"), "Expands at most `budget` nodes for the requests that wait, None for no limit; returns how many it took.")
        .def_property_readonly(
            "waiting", [](const QueueHandle& self) { return self.queue.waiting(); }, "Requests that are not answered yet.")
        .def(
            "done",
            [](QueueHandle& self, RequestId id) {
                const Busy busy(self.busy, "queue");
                return self.queue.done(id);
            },
            py::arg("request"), "Whether it is answered. False for numbers that are not known.")
        .def(
            "ready",
            [](QueueHandle& self, RequestId id) {
                const Busy busy(self.busy, "queue");
                return cells_array(self.queue.ready(id));
            },
            py::arg("request"), "The first cells of its path, to walk meanwhile: an array of shape (n, 2), perhaps empty.")
        .def(
            "take",
            [](QueueHandle& self, RequestId id) -> py::object {
                const Busy busy(self.busy, "queue");
                PathHandle out;
                if (!self.queue.take(id, out.path)) return py::none();
                return py::cast(std::move(out));
            },
            py::arg("request"), "The answer, found or not, and forgets the request. None where it is not answered yet, or not known.")
        .def(
            "cancel",
            [](QueueHandle& self, RequestId id) {
                const Busy busy(self.busy, "queue");
                return self.queue.cancel(id);
            },
            py::arg("request"), "Forgets a request, answered or not. False where it is not known.");
}

}  // namespace terrane::python
