import { z } from "zod";
import { NOTICE } from "./privacy-notice.ts";

/** The version of the privacy notice beside a login. Another one refuses nothing: no consent is stored then. */
export const shownNotice = z.literal(NOTICE).optional().catch(undefined);
