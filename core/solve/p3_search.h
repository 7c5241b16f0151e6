#pragma once
// Is there a placement within a capacity? Depth-first search over placements from the bottom up.
//
// Any placement can be pushed down until every buffer lies on 0 or on another one; taken in the order of their offsets, each buffer
// then lies at the highest top of those placed before it that live with it. So the search places one buffer after the other at that
// offset, never below the one before. Rules that cut (each can be switched off where it is an option):
//   - section bounds: at a time, what is not placed yet must fit above the lowest place where any of it can start;
//   - dominance: a buffer is not placed so high that another, still unplaced one would fit wholly below;
//   - parts of time that no unplaced buffer connects are searched on their own, and when one fails the others are not retried.

#include <vector>

#include "core/solve/p3_place.h"

namespace tessera {

enum class P3SearchAnswer { Found, Impossible, OutOfBudget };

class P3Search {
 public:
  P3Search(const P3Problem& problem, int64_t capacity, P3Options& options);

  // Restarts with other orders of the choices and growing limits; whichever ends first decides.
  P3SearchAnswer run();
  std::vector<int64_t> offsets() const;
  int64_t nodes() const { return nodes_; }

 private:
  struct Item {
    int buffer;           // in the problem
    int64_t size;
    size_t first, last;   // sections, half-open
    std::vector<int> near;
  };
  struct Component {
    std::vector<int> items;   // in the order of choice
    int64_t lastOffset = 0;
    int lastRank = -1;
    int parent = -1;          // the frame whose choice left this component over
  };
  struct Choice {
    int64_t offset;
    int item;
  };
  struct Frame {
    Component component;
    std::vector<Choice> choices;
    size_t next = 0;
    size_t trail = 0;         // what to undo before the next choice
    size_t pending = 0;       // components that were waiting when the frame was opened
  };
  struct Undo {
    int item;
    int64_t lowest;
  };

  P3SearchAnswer attempt(int64_t nodeLimit);
  void rank(int order);
  bool open(Component component);  // false: a bound says that nothing fits
  bool sectionsFit(const Component& component);
  void fillFloors(size_t low, size_t width);
  void place(int item, int64_t offset);
  void undo(size_t trail);
  void split(const Component& rest);

  const P3Problem& problem_;
  P3Options& options_;
  int64_t capacity_;
  std::vector<Item> items_;
  size_t sections_ = 0;
  std::vector<int> rank_;             // per item: its place in the order of choice
  bool byOffset_ = false;             // lower choices first, then by rank
  std::vector<int64_t> lowest_;       // per item: the highest top of placed ones that live with it
  std::vector<int64_t> placed_;       // per item: offset, -1
  std::vector<Undo> trail_;           // `lowest` -1: the item was placed
  std::vector<Frame> frames_;
  std::vector<Component> pending_;
  // Scratch, per section of a component.
  std::vector<int64_t> load_;
  std::vector<std::vector<int64_t>> floors_;
  std::vector<size_t> next_;
  std::vector<int> byBound_, crossing_, part_;
  std::vector<int64_t> bound_;        // scratch per item: no offset below this one
  int64_t nodes_ = 0;
};

}  // namespace tessera
