#pragma once

#include <string>

namespace tessera {

// A page that the page's build makes for programs to fill in: the file that the environment's `variable` names, else
// web/dist/`name` above the program's folder; "" when there is none.
std::string pageTemplate(const std::string& name, const char* variable);

}  // namespace tessera
