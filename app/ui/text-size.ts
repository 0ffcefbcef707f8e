import { useRouteLoaderData } from "react-router";

/** Returns true if the user of this browser chose larger text (http/text-size.server.ts). */
export const useLargerText = (): boolean => useRouteLoaderData<{ larger?: true }>("root")?.larger === true;
