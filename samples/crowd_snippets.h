// What the snippets of docs/crowd.md take for granted. Declared only: they are compiled, not run.
#pragma once
#include <terrane/terrane.h>

using namespace terrane;

extern World world;
extern CostTable deer, person;
void report(const CrowdFault& fault);
void draw(CellId cell, Tick tick, AgentId agent);
