import { m } from "#app/paraglide/messages.js";
import { classes } from "../class-names.ts";

const SIDE = "ml-auto px-2 text-[0.875rem] folded:absolute folded:top-0 folded:right-0 folded:m-0 folded:px-1 folded:text-[0.75rem]";
const PLACES = {
  side: SIDE,
  /** Beside the pulse line. */
  currentInSide: classes(SIDE, "mr-5"),
  bar: "absolute top-1 left-[calc(50%+0.5rem)] px-1.5 text-[0.75rem]",
};

/** How many tasks wait behind a link of the navigation: "3" to see, "3 waiting" to hear. */
export const Waiting = ({ count, place }: { count: number; place: keyof typeof PLACES }) => (
  <>
    {" "}
    <b className={classes("rounded-full bg-well font-bold text-ink", PLACES[place])}>
      {count > 99 ? "99+" : count} <span className="sr-only">{m.ui_waiting()}</span>
    </b>
  </>
);
