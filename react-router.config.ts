import type { Config } from "@react-router/dev/config";
import { precompress } from "./vite/precompress.ts";

export default {
  ssr: true,
  buildEnd() {
    precompress("build/client");
  },
} satisfies Config;
