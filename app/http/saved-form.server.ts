/**
 * A form that was posted after its session had ended. It is encrypted in a hidden field of the login page, so that the server
 * stores nothing, and filled in again after the same account logs in (docs/decisions/042).
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { createContext } from "react-router";
import { decrypt, encrypt } from "#app/lib/crypto.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";
import { env } from "#app/runtime/env.server.ts";
import { SAVED_FORM } from "#app/ui/saved-form.ts";
import { readUploads, type UploadRules } from "./submit-form.server.ts";

export type SavedForm = {
  /** Id of the only account that may decrypt it. */
  account: string;
  /** Path and search of the posted page. */
  path: string;
  fields: [name: string, value: string][];
  /** Names of chosen files, without their contents. */
  files: string[];
};

/** Lifetime of the hidden field. */
const LIFE = minutes(30);
/** Most characters of the hidden field. The login page posts it with each step, and a form may have 256 KB (server/gates.ts). */
const SEALED_LIMIT = 160 * 1024;
const OPENED_LIMIT = 2 * 1024 * 1024;
/** Forms in open login pages were encrypted with this text: it must not change. */
const ABOUT = "http|kept-form";

/** Encrypted form of this request or null. Set by the guard or from the login page's field. */
export const savedFormContext = createContext<string | null>(null);

/** True for fields that are never saved: passwords and one-time codes. */
export const isSecretField = (name: string) => /pass(word|code)|otp|secret|token|credential|^(code|pin)$/i.test(name);

/** Encrypts a form with the first key. @returns null when it is too large for the field */
export function sealForm(form: SavedForm, now: Date): string | null {
  const fields = form.fields.filter(([name]) => !isSecretField(name) && name !== SAVED_FORM);
  const plain = JSON.stringify({ ...form, fields, at: now.getTime() });
  const sealed = encrypt(deflateRawSync(plain).toString("base64url"), env().encryptionKeys, ABOUT);
  return sealed.length <= SEALED_LIMIT ? sealed : null;
}

/** Decrypts a form for this account. @returns `late` after 30 minutes; null for another account or a changed value */
export function openForm(sealed: string, account: string, now: Date): SavedForm | "late" | null {
  if (sealed.length > SEALED_LIMIT) return null;
  try {
    const packed = Buffer.from(decrypt(sealed, env().encryptionKeys, ABOUT), "base64url");
    const { at, ...form } = JSON.parse(inflateRawSync(packed, { maxOutputLength: OPENED_LIMIT }).toString()) as SavedForm & { at: number };
    if (form.account !== account) return null;
    return now.getTime() - at > LIFE ? "late" : form;
  } catch {
    return null;
  }
}

/** Limits for every upload page. Discards the contents of files. */
const DROPPED: UploadRules = { field: [], maxFiles: 50, maxFileSize: 16 * 1024 * 1024, onFile: async ({ name }) => name };

/** Reads the fields and file names of a posted form. @throws DomainError for a body that is not a form */
export async function readFormToSave(request: Request): Promise<Pick<SavedForm, "fields" | "files">> {
  const files: string[] = [];
  const ofFiles = new Set<string>();
  const onFile: UploadRules["onFile"] = async ({ name, fieldName }) => {
    if (name) files.push(name.slice(0, 100));
    ofFiles.add(fieldName);
    return "";
  };
  const type = request.headers.get("content-type") ?? "application/x-www-form-urlencoded";
  const multipart = type.startsWith("multipart/form-data");
  if (!multipart && !type.startsWith("application/x-www-form-urlencoded")) throw new DomainError("invalid");
  // Accepts all names: `submitForm` checks them when the form is filled in again.
  const fields: SavedForm["fields"] = [];
  if (!multipart) return { fields: [...new URLSearchParams(await request.text())], files };
  const { formData } = await readUploads(request, { ...DROPPED, onFile }, () => true);
  for (const [name, value] of formData) if (typeof value === "string" && !ofFiles.has(name)) fields.push([name, value]);
  return { fields, files };
}
