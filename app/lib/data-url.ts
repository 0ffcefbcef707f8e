/** React Router's data URLs: a page's loaders are requested at the path of the page with `.data`, the root page's at `/_.data`. */

/** Returns the path of the page of a data URL; other paths as they are. */
export const pagePathOf = (pathname: string): string => pathname.replace(/(?<=\/)_\.data$|\.data$/, "");
