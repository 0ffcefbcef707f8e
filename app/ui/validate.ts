import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";

/** Returns a validator for `useCheckedForm({ validate })`. Import it only for validation on blur: it loads zod in the browser. */
export const validateWith =
  <Schema extends z.ZodType>(schema: Schema) =>
  ({ formData }: { formData: FormData }) =>
    parseWithZod(formData, { schema }) as never;
