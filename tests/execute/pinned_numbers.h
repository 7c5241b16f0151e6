#pragma once
// Numbers of tensors in a fingerprint: integers as they are, of reals a sum in which their places count.

#include <cmath>
#include <cstdio>

#include "core/execute/kernel.h"
#include "core/support/fingerprint.h"

namespace tessera::test {

inline void addTensors(Fingerprint& print, const std::vector<HostTensor>& tensors) {
  for (const HostTensor& t : tensors) {
    print.add(shapeText(t.shape));
    for (const int64_t i : t.i) print.add(i);
    double weighted = 0;  // the places count
    for (size_t i = 0; i < t.f.size(); ++i)
      if (std::isfinite(t.f[i])) weighted += static_cast<double>(t.f[i]) * static_cast<double>(1 + i % 7);
    char text[32];
    std::snprintf(text, sizeof text, "%.4e", weighted + 1e-9);  // libraries differ in the last digits of exp()
    print.add(text);
  }
}

}  // namespace tessera::test
