// What the snippets of docs/openfield.md take for granted. Declared only: they are compiled, not run.
#pragma once
#include <terrane/boundary_points.h>
#include <terrane/field_grid.h>
#include <terrane/field_picture.h>
#include <terrane/open_method.h>
#include <terrane/subdivision_file.h>
#include <terrane/terrane.h>

using namespace terrane;

extern Subdivision field;
