void use(Cell representative, bool corner_only);
