#pragma once
// Is there a placement within a capacity? Depth-first search over placements from the bottom up.
//
// Any placement can be pushed down until every buffer lies on 0 or on another one that lives with it. Let `lowest` of a
// buffer be the highest top of those placed so far that live with it. The search takes the unplaced buffer with the
// least `lowest` and tries both sides of one question:
//   - it lies there, and what is left of its neighbours lies above;
//   - it does not (it is postponed): then it will lie on a neighbour that is not placed yet, and is not branched on
//     until one of those has raised its `lowest`.
// Nothing unplaced can lie below the buffer that is branched on: the lowest one there would rest on placed ones alone,
// so its `lowest` would be smaller, or it would have been postponed although it lies there. So the search is complete,
// and visits no placement twice. Pruning rules (each can be switched off):
//   - section bounds: of the buffers live at a time, those that start at h or above must fit above h, for every h;
//   - a postponed buffer starts no lower than the least top of an unplaced neighbour.
// Parts of time that no unplaced buffer connects are searched on their own, and when one fails the others are not
// retried.

#include <utility>
#include <vector>

#include "core/solve/addresses/address_solver.h"

namespace tessera {

enum class SearchOutcome { Found, Impossible, OutOfBudget };

class AddressSearch {
 public:
  AddressSearch(const AddressProblem& problem, int64_t capacity, AddressOptions& options);

  // Restarts with other branching orders; independent components are solved one by one.
  SearchOutcome run();
  std::vector<int64_t> offsets() const;
  int64_t nodes() const { return nodes_; }

 private:
  struct Item {
    int buffer;  // in the problem
    int64_t size;
    size_t first, last;  // sections, half-open
    int64_t length;      // of its life
    std::vector<int> near;
  };
  struct Component {
    std::vector<int> items;
    int parent = -1;  // the frame whose decision left this component
  };
  struct Frame {
    Component component;
    int item;            // branched on
    int tried = 0;       // 1: placed, 2: postponed as well
    size_t trail = 0;    // what to undo before the next try
    size_t pending = 0;  // components that were waiting when the frame was opened
  };
  enum class Change : char { Lowest, Placed, Postponed };
  struct Undo {
    Change what;
    int item;
    int64_t before;
  };

  SearchOutcome solvePart(const Component& part);
  SearchOutcome attempt(const Component& part, int64_t nodeLimit);
  void rank(int order, Prng* noise);
  bool open(Component component);  // false: a bound says that nothing fits
  bool sectionsFit(const Component& component);
  int next(const Component& component) const;
  int64_t slack(int item) const;
  void place(int item);
  void change(Change what, int item, int64_t to);
  void undo(size_t trail);
  void split(Component rest, std::vector<Component>& out) const;
  std::vector<int64_t>& fieldOf(Change what);

  const AddressProblem& problem_;
  AddressOptions& options_;
  int64_t capacity_;
  std::vector<Item> items_;
  size_t sections_ = 0;
  std::vector<int> rank_;           // per item: breaks ties
  std::vector<int64_t> lowest_;     // per item: the highest top of placed ones that live with it
  std::vector<int64_t> placed_;     // per item: offset, -1
  std::vector<int64_t> postponed_;  // per item: the `lowest` at which it was postponed, -1
  std::vector<Undo> trail_;
  std::vector<Frame> frames_;
  std::vector<Component> pending_;
  std::vector<int64_t> bound_;         // per item: no offset below this one
  std::vector<int64_t> load_, floor_;  // per section: bytes to place, and the least bound among them
  std::vector<std::pair<int64_t, int64_t>> byBound_;
  int64_t nodes_ = 0;
};

}  // namespace tessera
