# LocalAuth: build, run, test, measure and install. `make help` lists what there is.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
SWIFTC ?= swiftc
JOBS ?= $(shell nproc)
BUILD := .build
RELEASE := $(BUILD)/programs
# The flags of the programs live here and not in the manifest, so that sanitizers link and the
# package can be a dependency.
SLIM := -Xlinker --gc-sections -Xlinker -s
# Nothing of debug information is linked; without it what is linked does not depend on paths, but for a hash of the build
# folder that the compiler leaves in each module.
LINKED := --static-swift-stdlib $(SLIM) -debug-info-format none --scratch-path $(RELEASE)/linked -j $(JOBS)
MAN := $(PREFIX)/share/man
BASH := $(PREFIX)/share/bash-completion/completions
ZSH := $(PREFIX)/share/zsh/site-functions
FISH := $(PREFIX)/share/fish/vendor_completions.d
# Where libpam looks for modules: Debian's place for this machine.
PAM_MODULES ?= $(patsubst /usr/lib/%,/lib/%,$(shell pkg-config --variable=libdir pam))/security
# Below /usr, where SQLite finds an extension by its name.
SQLITE_MODULES ?= $(PREFIX)/lib/$(notdir $(shell pkg-config --variable=libdir sqlite3))
# The one place where pam-auth-update looks, whatever PREFIX is.
PAM_CONFIGS ?= /usr/share/pam-configs
LIBEXEC := $(PREFIX)/libexec/localauth
UNITS := $(PREFIX)/lib/systemd/system
USER_UNITS := $(PREFIX)/lib/systemd/user
UNIT_FILES := localauthd.service localauthd.socket localauth-pam-worker.service \
  localauth-pam-worker.socket localauth-bus.service localauth-bus.socket \
  localauth-sync@.service localauth-sync.socket
USER_UNIT_FILES := localauthd.service localauthd.socket
# What explores and simulates is optimised in the tests too, see Package.swift; packages that use this one do without.
export LOCALAUTH_OPTIMISED := 1
PLAIN := env -u LOCALAUTH_OPTIMISED
CHECKED := --explicit-target-dependency-import-check error
# Debug information takes a tenth of the compiler's time, and no test run has a use for it.
QUICK := -debug-info-format none -j $(JOBS)

.PHONY: help setup build programs module run test check check-documents check-packages check-articles check-notes lint pictures format surface bench policy-oracles fuzz mutants attack attack-sample fuzz-sample transcripts transcripts-sample system-test deb deb-test check-packaging nightly sanitize hub-versions docs install uninstall clean

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## make run        set up the machine, build the programs and show a policy being evaluated
run: setup programs
	@sh docs/demo/run.sh $(RELEASE)/bin

## make test       set up the machine, check the format, fuzz for a moment, build the packages that use this one, attack
##                 the programs that are installed and compare their transcripts for a moment, and run the whole suite
##                 with them; says at each step how long is left
test: setup
	@BUILT=1 python3 Tests/steps.py "$(MAKE)" \
	  "lint=0.4 build=13 check-packages=2.1 docs=0.4 | programs=10 check-documents=2.5 check-packaging=0.1 fuzz-sample=1.5" \
	  "attack-sample=0.6 transcripts-sample=0.2" "check=17"

setup:
	@sh .ci/setup

# `make test` builds once, in steps of their own.
PROGRAMS_ONCE := $(if $(BUILT),,programs)

build:
	$(SWIFT) build --build-tests $(CHECKED) $(QUICK)

# The suite drives the programs that are installed: statically linked and stripped.
# A run of which no test has ended for three minutes is ended, and says which were open.
check: $(if $(BUILT),,build programs)
	@LOCALAUTH_PROGRAMS="$(CURDIR)/$(RELEASE)/bin" python3 Tests/run.py 180 \
	  $(SWIFT) test --skip-build $(CHECKED) $(QUICK)

# Packages of their own that use this one: one that links LocalAuth alone, one with Apple's names, one whose files
# are protected, and a service that verifies assertions, which the suite then runs. They share what they build of this one.
CONSUMERS := $(CURDIR)/$(BUILD)/consumers
check-packages:
	$(PLAIN) sh Tests/Consumer/run.sh "$(CONSUMERS)" $(SWIFT) build $(QUICK)
	$(PLAIN) python3 Tests/run.py 180 $(SWIFT) test --package-path Examples/Vault \
	  --scratch-path "$(CONSUMERS)" $(QUICK)
	$(PLAIN) sh Tests/ProtectedConsumer/run.sh "$(CONSUMERS)" $(SWIFT) build $(QUICK)
	$(PLAIN) python3 Tests/run.py 180 $(SWIFT) test --package-path Examples/StepUpService \
	  --scratch-path "$(CONSUMERS)" $(QUICK)
	@$(MAKE) -s check-articles check-notes

# The programs of the reference's articles do what the articles say.
check-articles: $(if $(BUILT),,build)
	$(PLAIN) $(SWIFT) build --package-path Examples/Articles --scratch-path "$(CONSUMERS)" $(QUICK)
	$(PLAIN) python3 Tests/run.py 180 $(SWIFT) test --package-path Examples/Articles \
	  --scratch-path "$(CONSUMERS)" $(QUICK)
	@python3 Tests/Documents/articles.py "$(CURDIR)/$(BUILD)/debug" "$(CONSUMERS)/debug"

# The app for Apple's flow, also as a program in a terminal.
check-notes: $(if $(BUILT),,build)
	LOCALAUTH_PROGRAMS="$(CURDIR)/$(BUILD)/debug" $(PLAIN) python3 Tests/run.py 180 \
	  $(SWIFT) test --package-path Examples/Notes --scratch-path "$(CONSUMERS)" $(QUICK)

# The links of the documents, that the code is where they say, that their pictures show what the manifest, the sources and
# the programs say, and that each command does what it promises when somebody types it.
PYTHON := $(BUILD)/python/bin/python
check-documents: $(PROGRAMS_ONCE)
	@python3 Tests/Documents/links.py
	@python3 Tests/Documents/sources.py
	@SWIFT="$(SWIFT)" python3 docs/images/architecture.py --check
	@if [ -x $(PYTHON) ]; then $(PYTHON) docs/images/prompt.py $(RELEASE)/bin --check; fi
	@if [ -x $(PYTHON) ]; then $(PYTHON) docs/images/panel.py $(RELEASE)/bin --check; fi
	@if [ -x $(PYTHON) ]; then $(PYTHON) docs/demo/two-devices.py $(RELEASE)/bin --check; fi
	@python3 Tests/Documents/commands.py $(RELEASE)/bin

## make pictures   draw the pictures of the documents anew: the architecture, prompt and panel, the reports of
##                 policies, and what two devices say in docs/two-devices.md
pictures: setup programs
	@SWIFT="$(SWIFT)" python3 docs/images/architecture.py
	@$(PYTHON) docs/images/prompt.py $(RELEASE)/bin
	@$(PYTHON) docs/images/panel.py $(RELEASE)/bin
	@$(PYTHON) docs/demo/two-devices.py $(RELEASE)/bin
	@sh docs/images/report.sh $(RELEASE)/bin

## make lint       check the format of every Swift file, and that the mutants fit the sources
lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests policies Examples
	@python3 Tests/Mutants/run.py --places

## make surface    write anew which of Apple's names are there, in docs/apple-source.md
surface: build
	MAKE_SURFACE=1 $(SWIFT) test --skip-build --filter '^LocalAuthHouseRulesTests\.SurfaceTests/'

## make format     bring every Swift file into that format
format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests policies Examples

## make programs   build authctl (static), localauthd, localauth-pam-worker, localauth-bus, localauth-fuse,
##                 localauth-sync and SQLite's extension mod_localauth into .build/programs
# SwiftPM's flag for a wholly static program would compile everything a second time; only the link differs.
programs:
	$(SWIFT) build -c release --product localauthd $(LINKED)
	$(SWIFT) build -c release --product localauth-pam-worker $(LINKED)
	$(SWIFT) build -c release --product localauth-bus $(LINKED)
	$(SWIFT) build -c release --product localauth-fuse $(LINKED)
	$(SWIFT) build -c release --product localauth-sync $(LINKED)
	$(SWIFT) build -c release --product mod_localauth $(LINKED)
	$(SWIFT) build -c release --product authctl $(LINKED)
	@mkdir -p $(RELEASE)/bin $(RELEASE)/lib
	$(SWIFTC) -emit-library -static-stdlib -o $(RELEASE)/lib/mod_localauth.so \
	  @$(RELEASE)/linked/release/mod_localauth.product/Objects.LinkFileList \
	  -lsqlite3 -lcrypto -Xlinker -z -Xlinker nodelete \
	  -Xlinker --version-script=Sources/LocalAuthSQLiteExtension/exports.map $(SLIM)
	@install -m 755 $(RELEASE)/linked/release/localauthd \
	  $(RELEASE)/linked/release/localauth-pam-worker $(RELEASE)/linked/release/localauth-bus \
	  $(RELEASE)/linked/release/localauth-fuse $(RELEASE)/linked/release/localauth-sync $(RELEASE)/bin
	$(SWIFTC) -static-executable -o $(RELEASE)/bin/authctl \
	  @$(RELEASE)/linked/release/authctl.product/Objects.LinkFileList \
	  -Xlinker --defsym=main=authctl_main $(SLIM)

## make module     build the PAM module into .build/pam
module:
	@$(MAKE) -s -C pam OUT="$(CURDIR)/$(BUILD)/pam"

## make bench      measure beside plain C, print the ratios and write them to bench.json
bench: setup programs
	$(SWIFT) build -c release --product localauth-bench $(LINKED)
	$(SWIFT) build -c release --product localauth-items $(LINKED)
	$(SWIFT) build -c release --product localauth-apple $(LINKED)
	$(SWIFT) build -c release --product localauth-chunks $(LINKED)
	$(SWIFT) build -c release --product localauth-hubs $(LINKED)
	$(SWIFT) build -c release --product localauth-stored $(LINKED)
	@install -m 755 $(RELEASE)/linked/release/localauth-bench \
	  $(RELEASE)/linked/release/localauth-items $(RELEASE)/linked/release/localauth-apple \
	  $(RELEASE)/linked/release/localauth-chunks $(RELEASE)/linked/release/localauth-hubs \
	  $(RELEASE)/linked/release/localauth-stored $(RELEASE)/bin
	@sh Tests/Benchmarks/run.sh $(RELEASE)/bin bench.json

## make policy-oracles  ask the model checker Storm, and the model of docs/policy-science.md, about each cell of a grid, and
##                 compare `policy choose` with every candidate of the shipped space solved by itself;
##                 TABLE=docs/policy-science.md writes there what they said
STORM := $(BUILD)/storm/bin/python
policy-oracles: $(if $(BUILT),,setup build) $(PROGRAMS_ONCE)
	@if [ -x $(STORM) ]; then \
	  $(STORM) Tests/PolicyScience/agree.py $(RELEASE)/bin/authctl $(if $(TABLE),--table $(TABLE)); \
	else \
	  echo "Skipped: Storm is not there; .ci/setup installs it from PyPI where it can."; \
	  python3 Tests/PolicyScience/agree.py $(RELEASE)/bin/authctl --only document; \
	fi
	@CHOICE_WHOLE=1 $(SWIFT) test --skip-build $(CHECKED) --filter '^LocalAuthAnalysisTests\.ChoiceSearchTests/'

## make fuzz       fuzz codec, wire, queries, policies, scripts, tokens, messages, files and hubs, FUZZ_SECONDS (10) each
FUZZ_SECONDS ?= 10
fuzz:
	@sh Tests/Fuzz/run.sh $(FUZZ_SECONDS)

# One of the targets in every run of the tests, another one for another commit.
FUZZ_SAMPLE ?= $(shell git rev-parse HEAD 2>/dev/null | cksum | cut -d ' ' -f 1)
fuzz-sample:
	@SAMPLE=1 SEED=$(FUZZ_SAMPLE) sh Tests/Fuzz/run.sh $(FUZZ_SECONDS)

## make mutants    build a copy with deliberate mistakes, and see that prover or the service's own suite
##                 notices each; MUTANTS="--sample 4" tries a few
mutants:
	@python3 Tests/Mutants/run.py $(BUILD)/mutants $(MUTANTS)

## make attack     attack the programs for up to 20 minutes and say what was let through; SCALE=N is N times as much,
##                 SEED=N repeats a run (needs root)
SCALE ?= 1
attack: $(PROGRAMS_ONCE)
	@python3 Tests/Attack/run.py $(RELEASE)/bin --size $(SCALE) $(if $(SEED),--seed $(SEED))

# About a minute of it in every run of the tests.
attack-sample: $(PROGRAMS_ONCE)
	@python3 Tests/Attack/run.py $(RELEASE)/bin --size 0.1 $(if $(SEED),--seed $(SEED))

## make transcripts  make the transcripts of seeded calls again and compare them with Tests/Transcripts/digests
##                 (needs root)
TRANSCRIPTS := Tests/Transcripts
transcripts: $(PROGRAMS_ONCE)
	@python3 $(TRANSCRIPTS)/transcripts.py check $(RELEASE)/bin $(TRANSCRIPTS)/digests

# Half a minute of it in every run of the tests, and that they notice what changes.
transcripts-sample: $(PROGRAMS_ONCE)
	@python3 $(TRANSCRIPTS)/catches.py $(RELEASE)/bin
	@python3 $(TRANSCRIPTS)/transcripts.py check $(RELEASE)/bin $(TRANSCRIPTS)/digests 1 150

## make system-test boot a small Debian system with systemd in a container, install into it, and look how units,
##                 journal, sessions, PAM's programs, a fingerprint reader and polkit behave, and what power cuts leave
##                 (needs root)
SYSTEM := $(BUILD)/real-systemd
system-test: programs module
	@sh Tests/RealSystemd/root.sh $(SYSTEM)/root
	@rm -rf $(SYSTEM)/stage
	@$(MAKE) -s install DESTDIR=$(CURDIR)/$(SYSTEM)/stage PREFIX=/usr
	@timeout 1800 python3 Tests/RealSystemd/run.py $(SYSTEM)/root $(SYSTEM)/stage $(SYSTEM)/machine \
	  $(if $(SEED),--seed $(SEED))

## make deb        build the Debian packages into .build/deb, and check them with lintian
# Programs that were built once are the same in each package, and so are the packages.
DEB := $(BUILD)/deb
deb: $(PROGRAMS_ONCE)
	@sh packaging/deb.sh $(RELEASE)/bin $(DEB)
	@lintian --fail-on error,warning --tag-display-limit 0 $(DEB)/*.changes

# What can be seen of the packages without building them.
check-packaging: $(PROGRAMS_ONCE) module
	@python3 packaging/check.py "$(MAKE)"

## make deb-test   build the packages twice and compare them, then install, upgrade, remove and purge them in a container
##                 with a real systemd (needs root)
deb-test: $(PROGRAMS_ONCE) deb
	@sh packaging/deb.sh $(RELEASE)/bin $(DEB)-again >/dev/null
	@for package in $(DEB)/*.deb; do cmp $$package $(DEB)-again/$${package##*/} || exit 1; done
	@sh packaging/deb.sh $(RELEASE)/bin $(DEB)-next 0.1.0+next >/dev/null
	@sh Tests/RealSystemd/root.sh $(SYSTEM)/root
	@timeout 900 python3 Tests/RealSystemd/packages.py $(SYSTEM)/root $(SYSTEM)/packages $(DEB) $(DEB)-next

## make nightly    all that takes long: the suite, the attacks, a real systemd, the oracles of policies, every mutant, the
##                 sanitizers, and ten minutes of fuzzing
nightly: test attack transcripts policy-oracles system-test deb-test mutants sanitize hub-versions
	@CRASH_SEEDS=10000 $(SWIFT) test --skip-build $(CHECKED) --filter '^LocalAuthFileFormatTests\.(CrashTests|KeptChunkTests)/'
	@SYNC_DEPTH=8 SYNC_LIES=5 SYNC_LIVES=10000 SWIFT="$(SWIFT)" sh Tests/Exploration/run.sh $(BUILD)/exploration
	@for run in 1 2 3 4 5 6 7 8 9 10; do \
	  SYNC_SEEDS=1000 $(SWIFT) test --skip-build $(CHECKED) --filter '^LocalAuthHostTests\.(Sync|Table|Document)LivesTests/' || exit; \
	done
	@SYNC_CUTS=30 $(SWIFT) test --skip-build $(CHECKED) --filter '^LocalAuthEndToEndTests\.Sync(Network|Crash)Tests/'
	@BACKUP_ITEMS=1000000 $(SWIFT) test --skip-build $(CHECKED) \
	  --filter '^LocalAuthEndToEndTests\.ManyBackedUpItemsTests/'
	@sh Tests/Fuzz/run.sh 90

## make sanitize   run the suite under the address and the thread sanitizer, and devices' lives under the first
##                 for LIFE_SECONDS (600)
LIFE_SECONDS ?= 600
sanitize: setup
	@SWIFT="$(SWIFT)" JOBS=$(JOBS) sh Tests/Sanitize/run.sh address
	@LIFE_SECONDS=$(LIFE_SECONDS) SWIFT="$(SWIFT)" JOBS=$(JOBS) sh Tests/Sanitize/run.sh address \
	  --filter '^LocalAuthHostTests\.LifeTests/'
	@SWIFT="$(SWIFT)" JOBS=$(JOBS) sh Tests/Sanitize/run.sh thread

## make hub-versions   run the tests of hubs and of devices between which they are with later versions of PostgreSQL, from PyPI
hub-versions: build $(PROGRAMS_ONCE)
	@SWIFT="$(SWIFT)" PROGRAMS="$(CURDIR)/$(RELEASE)/bin" sh Tests/HubVersions/run.sh $(BUILD)/postgresql $(CHECKED)

## make docs       build the reference of the library into .build/docs; a warning is an error
# The symbols are those of the build of the tests, in which everything is.
docs: $(if $(BUILT),,build)
	@SWIFT="$(SWIFT)" python3 docs/reference/reference.py $(BUILD)/debug $(BUILD)/docs

## make install    install programs, manual pages, completion, units and the PAM service file below
##                 DESTDIR and PREFIX; the PAM file goes to DESTDIR/etc/pam.d. It builds nothing, so that root compiles
##                 nothing: build with 'make programs module' before
install:
	@for file in $(RELEASE)/bin/authctl $(RELEASE)/bin/localauthd $(RELEASE)/bin/localauth-pam-worker \
	  $(RELEASE)/bin/localauth-bus $(RELEASE)/bin/localauth-fuse $(RELEASE)/bin/localauth-sync \
	  $(RELEASE)/lib/mod_localauth.so $(BUILD)/pam/pam_localauth.so; do \
	  [ -e $$file ] || { echo "make install: $$file is not there; run 'make programs module' first" >&2; exit 1; }; \
	done
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/localauth
	install -m 755 $(RELEASE)/bin/authctl $(DESTDIR)$(PREFIX)/bin/authctl
	install -m 755 $(RELEASE)/bin/localauthd $(RELEASE)/bin/localauth-pam-worker $(RELEASE)/bin/localauth-bus \
	  $(RELEASE)/bin/localauth-fuse $(RELEASE)/bin/localauth-sync \
	  $(DESTDIR)$(PREFIX)/libexec/localauth/
	install -d $(DESTDIR)$(SQLITE_MODULES)
	install -m 644 $(RELEASE)/lib/mod_localauth.so $(DESTDIR)$(SQLITE_MODULES)/
	install -d $(DESTDIR)$(MAN)/man1 $(DESTDIR)$(MAN)/man5 $(DESTDIR)$(MAN)/man8
	install -m 644 docs/man/authctl.1 $(DESTDIR)$(MAN)/man1/
	install -m 644 docs/man/localauth-authenticator.5 docs/man/localauth-entitlements.5 docs/man/localauth-policy.5 \
	  $(DESTDIR)$(MAN)/man5/
	install -m 644 docs/man/localauthd.8 docs/man/localauth-pam-worker.8 docs/man/localauth-bus.8 \
	  docs/man/localauth-fuse.8 docs/man/localauth-sync.8 docs/man/pam_localauth.8 $(DESTDIR)$(MAN)/man8/
	install -d $(DESTDIR)$(BASH) $(DESTDIR)$(ZSH) $(DESTDIR)$(FISH)
	$(RELEASE)/bin/authctl completion bash > $(DESTDIR)$(BASH)/authctl
	$(RELEASE)/bin/authctl completion zsh > $(DESTDIR)$(ZSH)/_authctl
	$(RELEASE)/bin/authctl completion fish > $(DESTDIR)$(FISH)/authctl.fish
	install -d $(DESTDIR)$(UNITS) $(DESTDIR)$(PREFIX)/lib/sysusers.d $(DESTDIR)$(PREFIX)/lib/tmpfiles.d
	@for unit in $(UNIT_FILES); do \
	  sed 's,@LIBEXECDIR@,$(LIBEXEC),' systemd/$$unit | \
	    install -m 644 /dev/stdin $(DESTDIR)$(UNITS)/$$unit || exit 1; \
	done
	install -d $(DESTDIR)$(USER_UNITS)
	@for unit in $(USER_UNIT_FILES); do \
	  sed 's,@LIBEXECDIR@,$(LIBEXEC),' systemd/user/$$unit | \
	    install -m 644 /dev/stdin $(DESTDIR)$(USER_UNITS)/$$unit || exit 1; \
	done
	install -m 644 systemd/localauth.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/localauth.conf
	install -m 644 systemd/localauth.tmpfiles $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/localauth.conf
	install -d $(DESTDIR)/etc/localauth
	echo $(LIBEXEC)/localauthd | install -m 644 /dev/stdin $(DESTDIR)/etc/localauth/daemon
	install -d $(DESTDIR)/etc/pam.d $(DESTDIR)$(PAM_MODULES) $(DESTDIR)$(PAM_CONFIGS)
	install -m 644 pam/localauth $(DESTDIR)/etc/pam.d/localauth
	install -m 644 $(BUILD)/pam/pam_localauth.so $(DESTDIR)$(PAM_MODULES)/
	install -m 644 pam/pam-configs/localauth $(DESTDIR)$(PAM_CONFIGS)/localauth
	install -d $(DESTDIR)$(PREFIX)/share/doc/localauth/pam
	install -m 644 pam/stacks/* systemd/polkit-agent-helper.conf $(DESTDIR)$(PREFIX)/share/doc/localauth/pam/
	install -d $(DESTDIR)$(PREFIX)/share/doc/localauth/fprintd
	install -m 644 packaging/fprintd/*.rules $(DESTDIR)$(PREFIX)/share/doc/localauth/fprintd/
	sed 's,/usr/libexec/localauth,$(LIBEXEC),' packaging/fprintd/fingerprint-reader.json | \
	  install -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/share/doc/localauth/fprintd/fingerprint-reader.json

## make uninstall  remove what install put there, but for the PAM service file
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/authctl $(DESTDIR)$(SQLITE_MODULES)/mod_localauth.so $(DESTDIR)$(MAN)/man1/authctl.1 \
	  $(DESTDIR)$(MAN)/man5/localauth-authenticator.5 \
	  $(DESTDIR)$(MAN)/man5/localauth-entitlements.5 $(DESTDIR)$(MAN)/man5/localauth-policy.5 \
	  $(DESTDIR)$(MAN)/man8/localauthd.8 $(DESTDIR)$(MAN)/man8/localauth-pam-worker.8 \
	  $(DESTDIR)$(MAN)/man8/localauth-bus.8 $(DESTDIR)$(MAN)/man8/localauth-fuse.8 \
	  $(DESTDIR)$(MAN)/man8/localauth-sync.8 \
	  $(addprefix $(DESTDIR)$(UNITS)/,$(UNIT_FILES)) \
	  $(addprefix $(DESTDIR)$(USER_UNITS)/,$(USER_UNIT_FILES)) \
	  $(DESTDIR)$(PREFIX)/lib/sysusers.d/localauth.conf \
	  $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/localauth.conf \
	  $(DESTDIR)$(MAN)/man8/pam_localauth.8 $(DESTDIR)$(PAM_MODULES)/pam_localauth.so \
	  $(DESTDIR)$(PAM_CONFIGS)/localauth $(DESTDIR)/etc/localauth/daemon \
	  $(DESTDIR)$(BASH)/authctl $(DESTDIR)$(ZSH)/_authctl $(DESTDIR)$(FISH)/authctl.fish
	rm -rf $(DESTDIR)$(PREFIX)/libexec/localauth $(DESTDIR)$(PREFIX)/share/doc/localauth

clean:
	rm -rf $(BUILD)
