import { facePath } from "#app/lib/faces.ts";
import { loadingOf } from "#app/ui/pieces.tsx";
import type { Building } from "../../building.ts";

/** The drawing of a hospital's kind of building. Decorative: needs the name next to it. */
export function BuildingPicture({ drawing, large = false }: { drawing: Building; large?: boolean }) {
  const px = large ? 96 : 64;
  return <img src={facePath(drawing)} alt="" width={px} height={px} {...loadingOf(large)} decoding="async" />;
}
