import { useEffect, useState } from "react";

const LATE = 250;

/** True after `going` has been true for a while, so that quick actions do not flicker. */
export function useLate(going: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!going) return setLate(false);
    const timer = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(timer);
  }, [going]);
  return going && late;
}
