# Entry points. The work is done by the CMake presets and by the scripts in tools/.

TERRANE := build/release/terrane
JOBS ?= $(shell nproc)
export CMAKE_BUILD_PARALLEL_LEVEL = $(JOBS)

.PHONY: build run test check check-all bench studio docs package format clean help
.NOTPARALLEL:

build: ## build everything (build/release)
	@tools/setup test
	@tools/step build tools/build release

run: ## build the program and run its demonstration: pictures in out/
	@tools/setup run
	@tools/build release terrane_cli
	@$(TERRANE) demo
	@echo "('terrane' is $(TERRANE) here)"

test: build ## build everything and run all the tests
	@tools/step test ctest --preset release --parallel $(JOBS) --progress; code=$$?; tools/cases build/release; exit $$code

check: ## the deeper checks: both compilers, format, lint, sanitizers, other processors, the studio
	@tools/setup check
	@tools/check

check-all: ## those of check and the long ones: every optimisation level, all sources linted, fuzzing
	@tools/setup check
	@tools/check all

bench: ## build the benches and measure the searches
	@tools/setup run
	@tools/build release terrane_cli terrane_bench
	@$(TERRANE) bench search

studio: ## build the browser studio and serve it on this machine (PORT=8017)
	@tools/setup studio
	@tools/build release terrane_cli terrane_studio
	@tools/studio
	@$(TERRANE) studio $(if $(PORT),--port $(PORT))

docs: ## build the site of docs/ (build/docs/site), and follow its links
	@tools/setup docs
	@tools/docs

package: ## the Debian packages of the program, the C library and the development files (build/release/packages)
	@tools/setup test
	@tools/build release deb

format: ## format the sources in place
	@tools/setup check
	@tools/format

clean: ## remove everything that was built
	@rm -rf build out

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20
