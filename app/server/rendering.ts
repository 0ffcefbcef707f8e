/** What the listener tells entry.server.tsx about a request beyond `factsContext`, and what it hears back. */
import { createContext } from "react-router";

export type Rendering = {
  /** Public origin of this request. */
  origin: string;
  cookie: string | undefined;
  /** Nobody is logged in and there is nothing to tell: the page may come from, and go to, the page cache. */
  visitor: boolean;
  /** Path and search of the page, when the address that was posted to is another one (carry-form.ts). */
  address?: string | undefined;
  /** Written by entry.server.tsx. */
  page?: {
    /** Seconds this page may be kept; 0: not at all. */
    seconds: number;
    /** Notes the stylesheets the browser holds after this answer. */
    cssCookie: string | null;
  };
};
export const renderingContext = createContext<Rendering>();
