/** Styles and scripts inside a document are written to be read, and sent without comments and spaces. */

export const compactCss = (text: string): string =>
  text
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replaceAll(": ", ":")
    .replaceAll(";}", "}")
    .trim();

/** Comments need lines of their own. Line ends stay, because a statement may end with one. */
export const compactScript = (text: string): string => text.replace(/^\s*(\/\/|\/\*\*).*\n|^\s+/gm, "").trim();
