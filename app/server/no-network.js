// @ts-check
(() => {
  const SOS = "/patient/emergency-contact";
  const SOS_STORED = `${SOS}/offline`;
  /** Milliseconds without an answer after which the numbers are shown. */
  const PATIENCE = 800;
  /** Milliseconds between two tries, and of the longest one. */
  const PAUSE = 3000;
  const LONGEST = 15_000;
  const { serviceWorker } = navigator;

  addEventListener("load", () => serviceWorker?.register("/sw.js").catch(() => undefined));

  /** @returns {Promise<"answers" | "slow" | "none">} */
  const ask = () => {
    const request = new AbortController();
    const longest = setTimeout(() => request.abort(), LONGEST);
    return fetch(SOS, { method: "HEAD", cache: "no-store", signal: request.signal })
      .then(
        ({ status }) => (status < 500 ? "answers" : "slow"),
        () => (request.signal.aborted ? "slow" : "none"),
      )
      .finally(() => clearTimeout(longest));
  };

  // A later press, a closed dialog and the next page end the tries before.
  let press = 0;
  /** @param {string} url @param {(state: "slow" | "none") => void} show */
  const openWhenAnswered = async (url, show) => {
    const own = ++press;
    while (own === press) {
      const late = setTimeout(() => own === press && show("slow"), PATIENCE);
      const state = await ask();
      clearTimeout(late);
      if (own !== press) return;
      if (state === "answers") return location.assign(url);
      show(state);
      await new Promise((ready) => setTimeout(ready, PAUSE));
    }
  };

  /** @param {"slow" | "none"} state */
  const say = (state) => {
    /** @type {NodeListOf<HTMLElement>} */
    const all = document.querySelectorAll("[data-network]");
    for (const one of all) one.hidden = one.dataset.network !== state;
  };

  /** The dialog of pages with a link to SOS. */
  const findDialog = () =>
    /** @type {HTMLDialogElement | null} */
    (document.getElementById("no-network"));

  document.addEventListener(
    "click",
    async (event) => {
      const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
      const link = target instanceof Element && target.closest(`a[href="${SOS}"]`);
      const dialog = findDialog();
      if (!link || !dialog || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
      event.preventDefault();
      if (serviceWorker?.controller && (await caches.match(SOS_STORED).catch(() => undefined))) return location.assign(SOS);
      dialog.onclose = () => press++;
      openWhenAnswered(SOS, (state) => {
        say(state);
        if (!dialog.open) dialog.showModal();
      });
    },
    true,
  );

  // The browser may show this page again as it was.
  addEventListener("pagehide", () => {
    press++;
    findDialog()?.close();
  });

  // The worker answered with the stored emergency page.
  document.addEventListener("DOMContentLoaded", () => {
    if (location.pathname === SOS && document.getElementById("sos-stored")) openWhenAnswered(SOS + location.search, say);
  });
})();
