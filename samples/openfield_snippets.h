extern Subdivision field;
