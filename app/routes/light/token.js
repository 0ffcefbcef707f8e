// Loads the page again when it has changed: the server answers 304 otherwise. While a choice is open or the page is hidden it waits.
(async () => {
  const main = () => document.querySelector("main");
  for (;;) {
    await new Promise((done) => setTimeout(done, Number(main().dataset.wait) || 1500));
    if (document.hidden || document.querySelector("select:focus")) continue;
    try {
      const answer = await fetch(location.href, { cache: "no-store", headers: { "if-none-match": main().dataset.tag } });
      if (answer.status !== 200) continue;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      main().replaceWith(page.querySelector("main"));
      document.title = page.title;
    } catch {
      // No network: asks again after the wait.
    }
  }
})();
