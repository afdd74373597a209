"use strict";
/* Decisions on rules: what they save, by keys that the engine has made, and the rule file that they give. */
(() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const MOST = 200; /* rules shown at once */
    const COLUMN = 61; /* where attributes begin */
    const get = (id) => document.getElementById(id);
    const words = (number) => number.toLocaleString("en");
    const share = (v) => (100 * v).toFixed(1) + "\u00a0%";
    const make = (name, more = {}, ...inside) => {
        const e = Object.assign(document.createElement(name), more);
        e.append(...inside);
        return e;
    };
    const code = (text) => make("code", { dir: "ltr" }, text);

    /* ---- decisions: a state, folders left out, folders it is confined to ---- */

    const rules = data.rules.map((r, i) => ({ ...r, number: i, now: r.state, not: new Set(), only: new Set() }));
    const byNumber = rules.slice();
    const isOn = (r) => r.now === "active" || r.now === "pin";
    const isChanged = (r) => r.now !== r.state || r.not.size > 0 || r.only.size > 0;
    const acts = (r, section) => isOn(r) && !r.not.has(section) && (r.only.size === 0 || r.only.has(section));
    const undo = (r) => {
        r.now = r.state;
        r.not.clear();
        r.only.clear();
    };

    /* ---- what if ---- */

    /* The key of a URL of the sample: where a rule that fires is turned off, go on without it. */
    const keyOf = (way, on) => {
        for (;;) {
            const steps = data.sample.ways[way];
            let next = null;
            for (let i = 1; i < steps.length && next === null; i += 3)
                if (!on(steps[i], steps[i + 1]) && steps[i + 2] !== null)
                    next = steps[i + 2];
            if (next === null)
                return steps[0];
            way = next;
        }
    };

    /* A crawl of the sample: a URL is fetched when its key is new; a page of which none is fetched is lost. */
    const crawl = (on) => {
        const keys = new Set(), pages = new Set(), seen = new Set();
        data.sample.way.forEach((way, i) => {
            const key = keyOf(way, on);
            if (data.sample.page)
                pages.add(data.sample.page[i]);
            if (!keys.has(key)) {
                keys.add(key);
                if (data.sample.page)
                    seen.add(data.sample.page[i]);
            }
        });
        const urls = data.sample.way.length;
        return { saved: urls ? 1 - keys.size / urls : 0, lost: pages.size - seen.size, pages: pages.size };
    };
    const asFile = (r) => data.rules[r].state === "active" || data.rules[r].state === "pin";
    const was = crawl(asFile);

    const showScore = () => {
        const now = crawl((r, section) => acts(byNumber[r], section));
        const changed = rules.filter(isChanged).length;
        get("headline").textContent = share(now.saved) + " fewer fetches" +
            (data.labelled ? ", " + (now.lost ? words(now.lost) + (now.lost === 1 ? " page lost" : " pages lost") : "no page lost") : "");
        get("saved").textContent = share(now.saved);
        get("saved-was").textContent = now.saved === was.saved ? "by the rules in use" : share(was.saved) + " by the file";
        if (data.labelled) {
            get("lost").textContent = words(now.lost);
            get("lost").className = now.lost > was.lost ? "big worse" : "big";
            get("lost-was").textContent = "of " + words(now.pages) + (now.lost === was.lost ? "" : "; " + words(was.lost) + " by the file");
        }
        get("used").textContent = words(rules.filter(isOn).length);
        get("used-was").textContent = "of " + words(rules.length);
        get("changed").textContent = words(changed);
        get("undo").hidden = changed === 0;
        get("cert").hidden = !rules.some((r) => isChanged(r) && r.certificate.cert);
        if (get("file-d").open)
            get("file").value = file();
    };

    /* ---- the rule file ---- */

    const condition = (section) => data.sections[section] === "/" ? "/{x}" : data.sections[section] + "{**}";
    const lineOf = (r, line) => {
        const before = r.state === "active" || !line.startsWith(r.state + " ") ? "" : r.state + " ";
        const rest = line.slice(before.length + r.rule.length).trimStart();
        const more = Array.from(r.only, (s) => " on " + condition(s)).concat(Array.from(r.not, (s) => " unless " + condition(s)));
        const said = (r.now === "active" ? "" : r.now + " ") + r.rule + more.join("");
        return rest ? said.padEnd(COLUMN - 1) + " " + rest : said;
    };
    const file = () => {
        const lines = data.file.split("\n");
        rules.filter(isChanged).forEach((r) => {
            lines[r.line] = lineOf(r, lines[r.line]);
            for (let i = r.line; i >= 0; i--) {
                if (lines[i].startsWith("host ")) {
                    lines[i] = lines[i].replace(/ \[[^\]]*\bcert=[^\]]*\]/, "").replace(/ off$/, isOn(r) ? "" : " off");
                    break;
                }
            }
        });
        return lines.join("\n");
    };

    /* ---- one rule ---- */

    const pairs = (title, kind, list) => list && list.length ? [make("h4", {}, title)].concat(list.map(([a, b]) =>
        make("div", { className: "sides " + kind }, code(a), code(b)))) : [];

    const reach = (r, redraw) => {
        if (!r.sections.length)
            return [make("p", { className: "facts" }, "No URL of this input is changed by it together with the others.")];
        const list = make("ul", { className: "reach" });
        r.sections.forEach(([section, urls]) => {
            const name = data.sections[section];
            const item = make("li", {}, code(name === "/" ? "/ (no folder)" : name), words(urls) + (urls === 1 ? " URL" : " URLs"));
            const button = (label, set) => {
                const b = make("button", { type: "button" }, label);
                b.setAttribute("aria-pressed", set.has(section));
                b.addEventListener("click", () => {
                    const had = set.has(section);
                    if (set === r.only)
                        set.clear();
                    if (had)
                        set.delete(section);
                    else
                        set.add(section);
                    redraw();
                });
                item.append(b);
            };
            button("not here", r.not);
            if (!r.template && !r.confined)
                button("only here", r.only);
            list.append(item);
        });
        const left = r.sections_in_all - r.sections.length;
        return [make("h4", {}, "Where it acts"), list].concat(left > 0 ? [make("p", { className: "facts" }, "and " + words(left) + " more folders")] : []);
    };

    const meanings = {
        p: "Chance that it is right (p)", n: "Pages for it, in all (n)", neg: "Pages against it (neg)",
        save: "Fetches saved when learned (save)", by: "Pages compared by", refuted: "Refuted by",
    };
    const evidence = (r) => {
        const list = make("dl");
        const fact = (name, text) => list.append(make("div", {}, make("dt", {}, name), make("dd", {}, text)));
        fact("Rule", code(r.rule));
        fact("Hosts", r.hosts);
        fact("Id", code(r.id));
        Object.entries(r.evidence).forEach(([name, text]) => fact(meanings[name] || name, text));
        if (r.certificate.cert)
            fact("Certificate", Object.entries(r.certificate).map(([name, text]) => name + "=" + text).join(" "));
        return [make("h4", {}, "Evidence"), list];
    };

    const facts = (r) => {
        const text = ["changes " + words(r.fired) + (r.fired === 1 ? " URL" : " URLs"), "expected loss " + (r.expected_loss < .05 ? "under 0.1" : r.expected_loss.toFixed(1))];
        if (data.labelled)
            text.push(words(r.for) + (r.for === 1 ? " page for it, " : " pages for it, ") + words(r.against) + " against");
        if (r.evidence.p)
            text.push("p " + r.evidence.p);
        return text.join(" \u00b7 ");
    };

    const draw = (r) => {
        const item = r.item;
        const button = (label, state) => {
            const b = make("button", { type: "button" }, label);
            b.setAttribute("aria-pressed", r.now === state);
            b.addEventListener("click", () => decide(r, state));
            return b;
        };
        const details = make("button", { type: "button" }, r.open ? "Less" : "Details");
        details.setAttribute("aria-expanded", Boolean(r.open));
        details.addEventListener("click", () => open(r));
        item.className = "one " + (isOn(r) ? "on" : "off");
        const tags = [r.now === "pin" ? "pinned" : r.now === "active" ? null : r.now, isChanged(r) ? "changed" : null];
        item.replaceChildren(
            make("p", { className: "say" }, r.words, ...tags.filter(Boolean).flatMap((t) => [" ", make("span", { className: "tag" }, t)])),
            make("p", { className: "facts" }, facts(r)),
            ...(r.wrong && r.wrong.length ? [make("p", { className: "worse" }, "Joins URLs of different pages here: see the details.")] : []),
            make("div", { className: "acts" }, button("Accept", "active"), button("Reject", "off"), button("Pin", "pin"),
                ...(r.state === "likely" ? [button("Leave open", "likely")] : []), details));
        if (r.open) {
            const inside = make("div", { className: "inside" });
            inside.append(...pairs("The same page", "same", r.examples), ...pairs("Different pages that it joins", "apart", r.wrong),
                ...reach(r, () => refresh(r)), ...evidence(r));
            item.append(inside);
        }
    };
    const refresh = (r) => {
        draw(r);
        showScore();
    };
    const decide = (r, state) => {
        r.now = state;
        refresh(r);
        r.item.focus();
    };
    const open = (r) => {
        r.open = !r.open;
        draw(r);
        r.item.focus();
    };

    /* ---- the list ---- */

    rules.sort((a, b) => b.expected_loss - a.expected_loss || b.fired - a.fired || a.number - b.number);
    rules.forEach((r) => {
        r.item = make("li", { tabIndex: -1 });
        r.text = (r.rule + " " + r.words + " " + r.hosts + " " + r.id + " " + r.examples.flat().join(" ")).toLowerCase();
    });
    const fits = {
        all: () => true, wrong: (r) => r.wrong && r.wrong.length > 0, likely: (r) => r.now === "likely", changed: isChanged,
    };
    let most = MOST, listed = [];
    const list = () => {
        const wanted = get("find").value.trim().toLowerCase();
        listed = rules.filter((r) => r.text.includes(wanted) && fits[get("which").value](r));
        const seen = listed.slice(0, most);
        seen.forEach((r) => r.item.firstChild || draw(r));
        get("rules").replaceChildren(...seen.map((r) => r.item));
        get("shown").textContent = words(seen.length) + " of " + words(rules.length) + " shown";
        get("more").hidden = listed.length <= most;
        get("more").textContent = "Show " + words(Math.min(MOST, listed.length - most)) + " more";
    };
    get("more").addEventListener("click", () => {
        most += MOST;
        list();
    });
    get("find").addEventListener("input", () => {
        most = MOST;
        list();
    });
    get("which").addEventListener("change", list);
    get("undo").addEventListener("click", () => {
        rules.forEach((r) => {
            undo(r);
            if (r.item.firstChild)
                draw(r);
        });
        list();
        showScore();
    });
    get("file-d").addEventListener("toggle", showScore);

    let saved = file(); /* the text that lies outside of this page */
    const download = () => {
        const link = make("a", { download: data.name, href: URL.createObjectURL(new Blob([file()], { type: "text/plain" })) });
        link.click();
        URL.revokeObjectURL(link.href);
        saved = file();
    };
    get("download").addEventListener("click", download);

    /* Served: the file is saved where it lies, unless it is another one by now. */
    const button = get("save");
    const save = async () => {
        const text = file();
        if (text === saved) {
            get("said").textContent = "Nothing to save";
            return;
        }
        button.disabled = true;
        get("said").textContent = "Saving";
        try {
            const answer = await fetch("rules", { method: "PUT", body: text, headers: { "If-Match": '"' + button.dataset.version + '"' } });
            const said = await answer.text();
            if (answer.ok) {
                button.dataset.version = said;
                saved = text;
            }
            get("said").textContent = answer.ok ? "Saved" : "Not saved: " + said;
        } catch {
            get("said").textContent = "Not saved: dustpan does not run any more. Download the rule file instead.";
        }
        button.disabled = false;
    };
    if (button)
        button.addEventListener("click", save);
    addEventListener("beforeunload", (event) => file() === saved || event.preventDefault());

    /* ---- keys ---- */

    const step = (by) => {
        const at = listed.findIndex((r) => r.item === document.activeElement || r.item.contains(document.activeElement));
        const to = listed[Math.max(0, Math.min(listed.length, most, at + by < 0 ? 0 : at + by))] || listed[at];
        if (to && to.item.isConnected) {
            to.item.focus();
            to.item.scrollIntoView({ block: "nearest" });
        }
    };
    const current = () => listed.find((r) => r.item.contains(document.activeElement));
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
            if (event.key === "Escape")
                event.target.blur();
            return;
        }
        const r = current();
        const on = {
            j: () => step(1), k: () => step(-1), "/": () => get("find").focus(), s: button ? save : download,
            a: () => r && decide(r, "active"), x: () => r && decide(r, "off"), p: () => r && decide(r, "pin"),
            u: () => r && (undo(r), refresh(r)),
            Enter: () => r && event.target === r.item && open(r),
        }[event.key];
        if (on && (event.key !== "Enter" || (r && event.target === r.item))) {
            event.preventDefault();
            on();
        }
    });

    const s = data.sample;
    get("sample").textContent = (s.urls === s.of ? "Counted on all " + words(s.of) + " URLs of the input."
        : "Counted on a sample: " + words(s.urls) + " of " + words(s.of) + " URLs, whole pages with all that the rules join.") +
        (s.left_out ? " " + words(s.left_out) + " URLs of which different pages have one key do not fit into it: more pages are lost than is shown (--sample)." : "") +
        (data.off_rules_tried ? "" : " Rules that are off cannot stand beside the others, so they are not tried.") +
        (s.unknown ? " A few URLs that many rules change are counted with all of these rules." : "");
    list();
    showScore();
})();
