// The request queue in Python.
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
    const auto urgency = static_cast<int32_t>(integer_of(priority, "priority", -kMost, kMost));
    return self.queue.add(cell_of(start, "start"), cell_of(goal, "goal"), query.costs, query.options, urgency);
}

}  // namespace

void bind_queue(py::module_& m) {
    py::class_<QueueHandle>(m, "RequestQueue", R"(Answers many path requests by priority, under one budget of expansions per frame.

RequestQueue(world, searches=5)

Requests are answered one at a time, those of the greatest priority first, then in the order of arrival. At most `searches` searches are
in progress: the current one, and those paused for a more urgent request. Use a queue from one thread at a time.

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
                 options.searches = static_cast<size_t>(integer_of(searches, "searches", 1, 1024));
                 return std::make_unique<QueueHandle>(world, options);
             }),
             py::arg("world"), py::arg("searches") = 5, py::keep_alive<1, 2>())
        .def(
            "add", &add, py::arg("start"), py::arg("goal"), py::arg("profile"), py::arg("method") = py::none(), py::kw_only(),
            py::arg("priority") = 0, py::arg("movement") = "eight", py::arg("max_expansions") = py::none(), py::arg("nearest") = false,
            py::arg("bound") = py::none(), py::arg("fallback") = false,
            "Adds a request and returns its id; run() searches. Greater priorities are more urgent. Other arguments as for Planner.find().")
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
            py::arg("budget"), "Expands at most `budget` nodes for waiting requests; None: no limit. Returns the number of expansions.")
        .def_property_readonly(
            "waiting", [](const QueueHandle& self) { return self.queue.waiting(); }, "Number of requests without an answer.")
        .def(
            "done",
            [](QueueHandle& self, RequestId id) {
                const Busy busy(self.busy, "queue");
                return self.queue.done(id);
            },
            py::arg("request"), "Whether the request is answered. False for unknown ids.")
        .def(
            "ready",
            [](QueueHandle& self, RequestId id) {
                const Busy busy(self.busy, "queue");
                return cells_array(self.queue.ready(id));
            },
            py::arg("request"),
            "The final prefix of the path, to walk while the rest is searched for: an array of shape (n, 2), may be empty.")
        .def(
            "take",
            [](QueueHandle& self, RequestId id) -> py::object {
                const Busy busy(self.busy, "queue");
                PathHandle out;
                if (!self.queue.take(id, out.path)) return py::none();
                return py::cast(std::move(out));
            },
            py::arg("request"), "Returns the answer and removes the request. None if it is not answered yet, or unknown.")
        .def(
            "cancel",
            [](QueueHandle& self, RequestId id) {
                const Busy busy(self.busy, "queue");
                return self.queue.cancel(id);
            },
            py::arg("request"), "Removes a request, answered or not. Returns False if it is unknown.");
}

}  // namespace terrane::python
