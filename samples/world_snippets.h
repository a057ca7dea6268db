extern std::vector<CellEdit> edits;
