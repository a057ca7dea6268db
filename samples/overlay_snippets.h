extern CostTable deer;
extern const PortalOverlay& overlay;
extern Cell castle;
extern std::vector<Cell> army;
void march(const std::vector<Cell>& cells);
