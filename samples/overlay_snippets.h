extern CostTable deer;
