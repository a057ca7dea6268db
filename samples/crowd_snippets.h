extern CostTable deer, person;
void report(const CrowdFault& fault);
void draw(CellId cell, Tick tick, AgentId agent);
