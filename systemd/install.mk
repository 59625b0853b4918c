# Read by the Makefile: install, deb, man pages, check-system, check-platforms, check-cluster.

PREFIX     ?= /usr/local
DESTDIR    ?=
UNITDIR    ?= $(PREFIX)/lib/systemd/system
TMPFILESDIR ?= $(PREFIX)/lib/tmpfiles.d
SHARE      := $(DESTDIR)$(PREFIX)/share/tradepost
UNITS      := $(wildcard systemd/tradepost*@.*)
PAGES      := tradepostctl.8 tradepost-worker.8 tradepost-index.8 tradepost-deliver.8 tradepost-instance.8 tradepost.toml.5 tradepost-import.5

# Man pages are made of what the programs say themselves, and of the example file.
.PHONY: man
man: $(PAGES:%=$(BUILD)/man/%)
$(BUILD)/man/tradepostctl.8: $(BUILD)/tradepostctl
$(BUILD)/man/tradepost-import.5: $(BUILD)/tradepostctl $(wildcard fcgi-app/ctl/import/maps/*.toml)
$(BUILD)/man/tradepost-worker.8: $(BUILD)/tradepost-worker
$(BUILD)/man/tradepost-index.8: $(BUILD)/tradepost-index
$(BUILD)/man/tradepost-deliver.8: $(BUILD)/tradepost-deliver
$(BUILD)/man/tradepost-instance.8: systemd/instance/tradepost-instance
$(BUILD)/man/tradepost.toml.5: fcgi-app/tradepost.toml.example
$(PAGES:%=$(BUILD)/man/%): $(VERSION_OBJ:.o=.cpp)
$(BUILD)/man/%: systemd/manual
	$(call say,MAN,$@)
	$(Q)mkdir -p $(@D) && VERSION='$(VERSION)' systemd/manual $* $(filter-out $< $(VERSION_OBJ:.o=.cpp),$^) >$@.new && mv $@.new $@

.PHONY: install
install: all man
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/sbin $(BUILD)/tradepost-worker $(BUILD)/tradepost-index $(BUILD)/tradepost-deliver
	sed 's|@VERSION@|$(VERSION)|g' systemd/instance/tradepost-instance >$(DESTDIR)$(PREFIX)/sbin/tradepost-instance
	chmod 755 $(DESTDIR)$(PREFIX)/sbin/tradepost-instance
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(BUILD)/tradepostctl
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/lib/tradepost $(BUILD)/tradepost-spool
	install -D -m 755 systemd/search-files $(DESTDIR)$(PREFIX)/lib/tradepost/tradepost-search-files
	install -D -m 644 -t $(SHARE)/sql sql/*.sql
	install -D -m 644 -t $(SHARE) fcgi-app/demo.json
	install -D -m 644 -t $(SHARE)/import fcgi-app/ctl/import/maps/*.toml
	install -D -m 644 -t $(SHARE)/mail fcgi-app/mail/templates/*
	install -D -m 644 -t $(SHARE)/instance systemd/instance/*.in systemd/instance/*.sh
	install -D -m 755 -t $(SHARE)/nginx nginx/render
	install -D -m 644 -t $(SHARE)/nginx nginx/http.conf nginx/default.conf.in nginx/plain.conf.in nginx/server.conf.in nginx/site.conf.in
	install -D -m 644 -t $(SHARE)/nginx/snippets nginx/snippets/*.conf
	cd $(BUILD)/www && find . -type f -exec install -D -m 644 {} $(abspath $(SHARE))/www/{} \;
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/tradepost $(MANUALS)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/tradepost/monitoring systemd/monitoring/dashboard.png
	install -D -m 644 -t $(SHARE)/monitoring systemd/monitoring/alerts.yml
	cd systemd/monitoring && find fail2ban -type f -exec install -D -m 644 {} $(abspath $(SHARE))/monitoring/{} \;
	systemd/monitoring/dashboard >$(SHARE)/monitoring/dashboard.json
	install -D -m 644 -t $(DESTDIR)/etc/tradepost fcgi-app/tradepost.toml.example
	install -D -m 644 systemd/tradepost.tmpfiles $(DESTDIR)$(TMPFILESDIR)/tradepost.conf
	install -d $(DESTDIR)$(UNITDIR)
	for unit in $(UNITS); do \
	    sed -e '/^@SANDBOX@$$/{r systemd/sandbox.conf' -e 'd}' -e 's|@PREFIX@|$(PREFIX)|g' "$$unit" >"$(DESTDIR)$(UNITDIR)/$${unit#systemd/}" && \
	    chmod 644 "$(DESTDIR)$(UNITDIR)/$${unit#systemd/}" || exit; \
	done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man8 $(filter %.8,$(PAGES:%=$(BUILD)/man/%))
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man5 $(filter %.5,$(PAGES:%=$(BUILD)/man/%))

# In a copy, since dpkg-buildpackage writes beside and into the source; programs that are built are used.
.PHONY: deb check-system check-platforms check-cluster
deb:
	@systemd/runit/install run deb
	@$(MAKE) --no-print-directory $(PARALLEL) all man
	@BUILD='$(BUILD)' FLAGS="CXX='$(CXX)' CPPFLAGS='$(CPPFLAGS)' CXXFLAGS='$(CXXFLAGS)' LDFLAGS='$(LDFLAGS)'" debian/make
check-system:
	@systemd/runit/install run deb system
	@DEB_BUILD_OPTIONS=noautodbgsym $(MAKE) --no-print-directory deb
	@BUILD='$(BUILD)' tests/system/run
check-platforms:
	@systemd/runit/install run deb system
	@BUILD='$(BUILD)' tests/platforms/run
check-cluster:
	@systemd/runit/install run deb system
	@DEB_BUILD_OPTIONS=noautodbgsym $(MAKE) --no-print-directory deb
	@BUILD='$(BUILD)' tests/cluster/run
