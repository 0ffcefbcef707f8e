// Suggests while the user types, on pages without the app's scripts: what search-field.tsx does on the others, with the patterns in its <template>.
(() => {
  const PAUSE = 250;
  const FEWEST_LETTERS = 2;
  const field = document.getElementById("q");
  const form = field.form;
  const [listPattern, dangerPattern] = form.querySelector("template").content.children;
  const status = form.querySelector("[role=status]");
  const { address, one, two } = listPattern.dataset;
  let list = null;
  let danger = null;
  let options = [];
  let marked = -1;
  let timer;
  let work = new AbortController();

  const mark = (next) => {
    marked = next;
    options.forEach((option, i) => {
      option.classList.toggle("bg-brand-soft", i === marked);
      option.setAttribute("aria-selected", String(i === marked));
    });
    if (marked < 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", options[marked].id);
  };
  const clear = () => {
    list?.remove();
    options = [];
    list = null;
    mark(-1);
    status.textContent = "";
    for (const name of ["role", "aria-autocomplete", "aria-expanded", "aria-controls"]) field.removeAttribute(name);
  };
  const optionOf = ({ kind, name, about, to }, i, all) => {
    const option = listPattern.firstElementChild.cloneNode(true);
    option.id = `${listPattern.id}-${i}`;
    option.href = to;
    // The pattern is a doctor's.
    const ofKind = listPattern.querySelector(`[data-kind=${kind}]`);
    if (ofKind) {
      option.firstElementChild.textContent = ofKind.textContent;
      option.querySelector("svg").replaceWith(ofKind.firstElementChild.cloneNode(true));
    }
    if (all[i - 1]?.kind === kind) option.firstElementChild.remove();
    option.querySelector("b").textContent = name;
    option.querySelector("b ~ small").textContent = about;
    return option;
  };
  const dangerOf = ({ hospital }) => {
    const note = dangerPattern.cloneNode(true);
    const ofHospital = note.querySelector("[data-hospital]");
    if (!hospital) ofHospital.remove();
    else {
      ofHospital.querySelector("b").textContent = hospital.name;
      const call = ofHospital.querySelector("a");
      call.href = `tel:${hospital.phone}`;
      call.lastChild.textContent = call.lastChild.textContent.replace("{name}", hospital.name);
    }
    return note;
  };
  // The same warning stays: a screen reader reads a new one.
  const warn = (found) => {
    const next = found && dangerOf(found);
    if (next && danger?.isEqualNode(next)) return;
    danger?.remove();
    danger = next;
    if (danger) status.before(danger);
  };
  const close = () => {
    clear();
    warn(null);
  };
  const show = (answer) => {
    clear();
    warn(answer.danger);
    if (answer.found.length === 0) return;
    list = listPattern.cloneNode(false);
    options = answer.found.map(optionOf);
    list.append(...options);
    status.before(list);
    status.textContent = options.length === 1 ? one : two.replace("2", String(options.length));
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-expanded", "true");
    field.setAttribute("aria-controls", list.id);
  };
  const ask = () => {
    work.abort();
    clearTimeout(timer);
    const text = field.value.trim();
    if (text.length < FEWEST_LETTERS) return close();
    work = new AbortController();
    const { signal } = work;
    timer = setTimeout(async () => {
      try {
        const response = await fetch(`${address}?${new URLSearchParams({ q: text })}`, { signal });
        if (response.ok) show(await response.json());
      } catch {
        // Aborted by the next key, or no network: Search works as without scripts.
      }
    }, PAUSE);
  };
  field.addEventListener("input", ask);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") mark(Math.min(options.length - 1, marked + 1));
    else if (event.key === "ArrowUp") mark(Math.max(-1, marked - 1));
    else if (event.key === "Escape" && (list || danger)) close();
    else if (event.key === "Enter" && options[marked]) location.assign(options[marked].href);
    else return;
    event.preventDefault();
  });
  // What was typed before this script arrived.
  ask();
})();
