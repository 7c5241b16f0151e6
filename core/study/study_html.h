#pragma once
// A study as one page that opens from disk.

#include <string>
#include <vector>

#include "core/study/study_rows.h"

namespace tessera {

// Where a template takes the data (the text of study.json, safe within a script element) and the tables.
inline constexpr std::string_view kStudyDataPlace = "{{STUDY_DATA}}";
inline constexpr std::string_view kStudyTablesPlace = "{{STUDY_TABLES}}";

// By the template in $TESSERA_STUDY_TEMPLATE, else by web/dist/study-report.html above the program's folder. Without
// one, a plain page: all tables, to be read without scripts.
std::string studyHtml(const Study& study, const std::vector<StudyRow>& rows, const std::string& json);

}  // namespace tessera
