# LocalAuth: build, run, test, measure and install. `make help` lists what there is.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
JOBS ?= $(shell nproc)
BUILD := .build
RELEASE := $(BUILD)/programs
# The flags of the programs live here and not in the manifest, so that sanitizers link and the
# package can be a dependency.
SLIM := -Xlinker --gc-sections -Xlinker -s
CHECKED := --explicit-target-dependency-import-check error

.PHONY: help setup build programs run test check lint format bench fuzz sanitize docs install uninstall clean

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## make run        set up the machine, build the programs and show a policy being evaluated
run: setup programs
	@sh docs/demo/run.sh $(RELEASE)/bin

## make test       set up the machine, check the format and run the whole suite
test: setup lint check

setup:
	@sh .ci/setup

build:
	$(SWIFT) build --build-tests $(CHECKED) -j $(JOBS)

check: build
	$(SWIFT) test --skip-build $(CHECKED)

## make lint       check the format of every Swift file
lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests policies

## make format     bring every Swift file into that format
format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests policies

## make programs   build authctl (static), localauthd and localauth-pam-worker into .build/programs
programs:
	$(SWIFT) build -c release --product localauthd --static-swift-stdlib $(SLIM) \
	  --scratch-path $(RELEASE)/linked -j $(JOBS)
	$(SWIFT) build -c release --product localauth-pam-worker --static-swift-stdlib $(SLIM) \
	  --scratch-path $(RELEASE)/linked -j $(JOBS)
	$(SWIFT) build -c release --product authctl --static-swift-stdlib \
	  -Xswiftc -static-executable $(SLIM) --scratch-path $(RELEASE)/static -j $(JOBS)
	@mkdir -p $(RELEASE)/bin
	@install -m 755 $(RELEASE)/linked/release/localauthd \
	  $(RELEASE)/linked/release/localauth-pam-worker $(RELEASE)/static/release/authctl \
	  $(RELEASE)/bin

## make bench      measure beside plain C, print the ratios and write them to bench.json
bench: setup programs
	$(SWIFT) build -c release --product localauth-bench --static-swift-stdlib $(SLIM) \
	  --scratch-path $(RELEASE)/linked -j $(JOBS)
	@install -m 755 $(RELEASE)/linked/release/localauth-bench $(RELEASE)/bin
	@sh Tests/Benchmarks/run.sh $(RELEASE)/bin bench.json

## make install    install programs, manual pages and completion below DESTDIR and PREFIX
install: programs
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/localauth
	install -m 755 $(RELEASE)/bin/authctl $(DESTDIR)$(PREFIX)/bin/authctl
	install -m 755 $(RELEASE)/bin/localauthd $(RELEASE)/bin/localauth-pam-worker \
	  $(DESTDIR)$(PREFIX)/libexec/localauth/

clean:
	rm -rf $(BUILD)
