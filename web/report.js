"use strict";
/* Everything can be read without this: it only sorts, filters, and keeps long tables short. */
(() => {
    const MOST = 250; /* rows shown at once, so that tables of thousands of rows stay fast */
    const all = (what, root = document) => Array.from(root.querySelectorAll(what));
    document.documentElement.classList.add("js");

    /* "1,234" "41.2 %" "< 0.01 %" and words */
    const value = (cell) => {
        const text = cell ? cell.textContent.trim() : "";
        const number = parseFloat(text.replace(/[,<>\s]/g, ""));
        return Number.isNaN(number) ? text : number;
    };
    const compare = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? 1 : -1;
    const words = (number) => number.toLocaleString("en");

    /* A list of items of which those are shown that hold the text in `input`, at most `most` of them. */
    const filtered = (input, items, most) => {
        const text = new Map(items().map((item) => [item, item.textContent.toLowerCase()]));
        const tools = input.closest(".tools");
        const said = tools.querySelector("output");
        const more = document.createElement("button");
        more.type = "button";
        more.className = "more";
        tools.append(more);
        const show = () => {
            const wanted = input.value.trim().toLowerCase();
            let found = 0;
            items().forEach((item) => {
                const fits = text.get(item).includes(wanted);
                found += fits ? 1 : 0;
                item.hidden = !fits || found > most;
            });
            said.textContent = wanted || found > most ? words(Math.min(found, most)) + " of " + words(text.size) + " shown" : "";
            more.hidden = found <= most;
            more.textContent = "Show all " + words(found);
        };
        more.addEventListener("click", () => {
            most = Infinity;
            show();
        });
        input.addEventListener("input", show);
        show();
        return show;
    };

    const shows = new Map();
    all("input[data-filter]").forEach((input) => {
        const where = input.dataset.filter;
        const table = document.querySelector(where).closest("table");
        shows.set(table, filtered(input, () => all(where), table ? MOST : Infinity));
    });

    all("table.sorts").forEach((table) => {
        const body = table.tBodies[0];
        all("thead th", table).forEach((head, column) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = head.textContent;
            head.replaceChildren(button);
            button.addEventListener("click", () => {
                const name = column === 0;
                const up = head.hasAttribute("aria-sort") ? head.getAttribute("aria-sort") !== "ascending" : name;
                const rows = all("tr:not(.rest)", body).map((row) => [name ? row.cells[0].textContent : value(row.cells[column]), row]);
                rows.sort((a, b) => up ? compare(a[0], b[0]) : compare(b[0], a[0]));
                all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
                head.setAttribute("aria-sort", up ? "ascending" : "descending");
                const sorted = document.createDocumentFragment();
                sorted.append(...rows.map((row) => row[1]), ...all("tr.rest", body));
                body.append(sorted);
                (shows.get(table) || (() => {}))();
            });
        });
    });

    addEventListener("beforeprint", () => all("details").forEach((item) => { item.open = true; }));
})();
