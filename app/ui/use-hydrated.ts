import { useSyncExternalStore } from "react";

const never = () => () => {};
/** False on the server and while hydrating, then true: for what only works with JavaScript. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
