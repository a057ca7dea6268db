# a deer
name deer
trees 1
road = 4
deep_water: blocked
otherwise 2.5
