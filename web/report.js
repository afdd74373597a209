"use strict";
/* Everything can be read without this: it only sorts and filters. */
(() => {
    const all = (what, root = document) => Array.from(root.querySelectorAll(what));
    document.documentElement.classList.add("js");

    /* "1,234" "41.2 %" "< 0.01 %" and words */
    const value = (cell) => {
        const text = cell ? cell.textContent.trim() : "";
        const number = parseFloat(text.replace(/[,<>\s]/g, ""));
        return Number.isNaN(number) ? text : number;
    };
    const compare = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? 1 : -1;

    all("table.sorts").forEach((table) => {
        const body = table.tBodies[0];
        all("thead th", table).forEach((head, column) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = head.textContent;
            head.replaceChildren(button);
            button.addEventListener("click", () => {
                const words = column === 0;
                const up = head.hasAttribute("aria-sort") ? head.getAttribute("aria-sort") !== "ascending" : words;
                const rows = all("tr:not(.rest)", body).map((row) => [words ? row.cells[0].textContent : value(row.cells[column]), row]);
                const rest = all("tr.rest", body);
                rows.sort((a, b) => up ? compare(a[0], b[0]) : compare(b[0], a[0]));
                all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
                head.setAttribute("aria-sort", up ? "ascending" : "descending");
                body.append(...rows.map((row) => row[1]), ...rest);
            });
        });
    });

    /* An input with data-filter hides what does not hold its text; an output beside it says how many are left. */
    all("input[data-filter]").forEach((input) => {
        const items = all(input.dataset.filter).map((item) => [(item.dataset.text || item.textContent).toLowerCase(), item]);
        const said = input.closest(".tools").querySelector("output");
        const filter = () => {
            const text = input.value.trim().toLowerCase();
            let left = 0;
            items.forEach(([name, item]) => {
                item.hidden = !name.includes(text);
                left += item.hidden ? 0 : 1;
            });
            said.textContent = text ? left.toLocaleString("en") + " of " + items.length.toLocaleString("en") : "";
        };
        input.addEventListener("input", filter);
    });

    addEventListener("beforeprint", () => all("details").forEach((item) => { item.open = true; }));
})();
