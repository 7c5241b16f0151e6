#pragma once
// A study as one page that opens from disk.

#include <string>
#include <vector>

#include "core/study/study_rows.h"

namespace tessera {

// Where a page takes the data (the text of study.json, safe within a script element), what deciding took (a list of
// microseconds by run) and the tables.
inline constexpr std::string_view kStudyDataPlace = "{{STUDY_DATA}}";
inline constexpr std::string_view kStudyCostsPlace = "{{STUDY_COSTS}}";
inline constexpr std::string_view kStudyTablesPlace = "{{STUDY_TABLES}}";

// `page`: with these places. Without one for the data, a plain page: all tables, to be read without scripts.
std::string studyHtml(const Study& study, const std::vector<StudyRow>& rows, const std::string& json, std::string page);

}  // namespace tessera
