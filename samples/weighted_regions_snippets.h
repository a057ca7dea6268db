extern Subdivision subdivision;
