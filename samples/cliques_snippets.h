extern CostTable deer, outlaw;
extern EditResult edit;
void report(uint64_t nodes, uint64_t edges);
