import { useEffect, useState } from "react";

const LATE = 250;

/** True once something has been going on for a while: what is quick had better not flicker. */
export function useLate(going: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!going) return setLate(false);
    const timer = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(timer);
  }, [going]);
  return going && late;
}
