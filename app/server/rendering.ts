/** Data between the listener and entry.server.tsx in addition to `factsContext`. */
import { createContext } from "react-router";

export type Rendering = {
  /** Public origin of this request. */
  origin: string;
  cookie: string | undefined;
  /** No session, toast or place: the page may be cached. */
  visitor: boolean;
  /** Path and search of the page when it differs from the posted URL (carry-form.ts). */
  address?: string | undefined;
  /** Set by entry.server.tsx. */
  page?: {
    /** Seconds this page may be cached; 0: never. */
    seconds: number;
    /** Cookie with the stylesheets the browser has after this response. */
    cssCookie: string | null;
  };
};
export const renderingContext = createContext<Rendering>();
