import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { spendLimits } from "../limits/limit.server.ts";
import { cleanPdf } from "./clean-pdf.server.ts";
import { DOCUMENTS, isHeard, isPdf, SOUNDS, type SoundType, soundTypeOf } from "./content-type.ts";
import { readDocumentType } from "./document-type.server.ts";
import { cleanImage, displayName, displayNameAs } from "./images.server.ts";
import { mp4ToAac, webmToOgg } from "./repackage-sound.ts";
import { type StoredFile, storeFile } from "./store-file.server.ts";
import { MAX_CHAT_BYTES } from "./upload-limits.ts";

type Upload = { name: string; bytes: Uint8Array };

/**
 * Stores a file of a chat (spec 001 §5: images, pdf, doc, docx), with the type detected by content. Images are re-encoded.
 * PDFs are checked as medical records are. Documents are stored unchanged and only served as downloads (routes/files/download.ts).
 * @throws DomainError("unsupported-type" | "too-large" | "too-many" | "unavailable")
 */
export async function storeChatFile(ctx: Ctx<Actor>, { name, bytes }: Upload): Promise<StoredFile> {
  await spendLimits(ctx, [{ limit: "upload", key: ctx.actor.userId }]);
  refuseLarge(bytes);
  if (isPdf(bytes)) return storeFile(ctx, { purpose: "chat-file", ...(await cleanPdf(name, bytes)) });
  const type = await readDocumentType(bytes);
  if (type) return storeFile(ctx, { purpose: "chat-file", name: displayNameAs(name, DOCUMENTS[type]), bytes, mediaType: type });
  try {
    const image = await cleanImage(bytes);
    return await storeFile(ctx, { purpose: "chat-file", name: displayName(name), ...image });
  } catch (error) {
    if (error instanceof DomainError && error.code === "unsupported-type")
      throw new DomainError("unsupported-type", m.assistant_files_only(), { cause: error });
    throw error;
  }
}

/**
 * Stores a voice message, in a container that the model reads if its sound can be moved there. Refuses others where the model
 * answers; the built-in helper only stores them.
 * @throws DomainError("unsupported-type" | "too-large" | "too-many" | "unavailable")
 */
export async function storeVoice(ctx: Ctx<Actor>, { bytes }: Pick<Upload, "bytes">): Promise<StoredFile> {
  await spendLimits(ctx, [{ limit: "upload", key: ctx.actor.userId }]);
  refuseLarge(bytes);
  const sound = soundOf(bytes);
  if (!sound || (ctx.integrations.gemini.connected && !isHeard(sound.type)))
    throw new DomainError("unsupported-type", m.assistant_sound_only());
  const name = `voice-message.${SOUNDS[sound.type].extension}`;
  return storeFile(ctx, { purpose: "chat-voice", name, bytes: sound.bytes, mediaType: sound.type });
}

function soundOf(bytes: Uint8Array): { type: SoundType; bytes: Uint8Array } | null {
  const type = soundTypeOf(bytes);
  const ogg = type === "audio/webm" && webmToOgg(bytes);
  if (ogg) return { type: "audio/ogg", bytes: ogg };
  const aac = type === "audio/mp4" && mp4ToAac(bytes);
  if (aac) return { type: "audio/aac", bytes: aac };
  return type && { type, bytes };
}

function refuseLarge(bytes: Uint8Array): void {
  if (bytes.byteLength > MAX_CHAT_BYTES)
    throw new DomainError("too-large", m.assistant_file_too_large({ megabytes: String(MAX_CHAT_BYTES / 1024 / 1024) }));
}
