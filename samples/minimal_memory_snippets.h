void use(Cell centre);
