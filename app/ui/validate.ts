import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";

/** For `useNadiForm({ validate })`: the room's schema in the browser too. Import it only where leaving a field should check it. */
export const validateWith =
  <Schema extends z.ZodType>(schema: Schema) =>
  ({ formData }: { formData: FormData }) =>
    parseWithZod(formData, { schema }) as never;
