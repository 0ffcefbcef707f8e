/**
 * Parses an answer to paragraphs, lists, bold text and http(s) links. Everything else, also HTML, is plain text, so that a model,
 * or a page it has read, cannot inject markup.
 */
export type Inline = { kind: "text"; text: string } | { kind: "bold"; text: string } | { kind: "link"; text: string; to: string };
export type Block = { kind: "paragraph"; inlines: Inline[] } | { kind: "list"; ordered: boolean; items: Inline[][] };

const BULLET = /^\s{0,6}[-*•]\s+(.*)$/;
const NUMBER = /^\s{0,6}\d{1,3}[.)]\s+(.*)$/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/;
/** Bold text, a named link, a bare URL. Bounded, to limit parsing time. */
const INLINE = /\*\*([^*\n]{1,500})\*\*|\[([^\][\n]{1,300})\]\(([^()\s]{1,1000})\)|(https?:\/\/[^\s<>"'`\]]{1,1000})/g;

/** Returns an http(s) URL normalised by the URL parser; null for anything else. */
export function safeAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return (url.protocol === "https:" || url.protocol === "http:") && !url.username && !url.password ? url.href : null;
}

export function parseRichText(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  const close = () => {
    if (lines.length) blocks.push({ kind: "paragraph", inlines: parseInline(lines.join("\n")) });
    lines = [];
  };
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const bullet = BULLET.exec(line);
    const item = bullet ?? NUMBER.exec(line);
    const heading = HEADING.exec(line);
    if (item) {
      close();
      const last = blocks.at(-1);
      const ordered = !bullet;
      if (last?.kind === "list" && last.ordered === ordered) last.items.push(parseInline(item[1] ?? ""));
      else blocks.push({ kind: "list", ordered, items: [parseInline(item[1] ?? "")] });
    } else if (heading) {
      close();
      blocks.push({ kind: "paragraph", inlines: [{ kind: "bold", text: (heading[1] ?? "").replaceAll("**", "") }] });
    } else if (line.trim() === "") close();
    else lines.push(line);
  }
  close();
  return blocks;
}

function parseInline(text: string): Inline[] {
  const inlines: Inline[] = [];
  let at = 0;
  const plain = (until: number) => {
    if (until > at) inlines.push({ kind: "text", text: text.slice(at, until) });
  };
  for (const match of text.matchAll(INLINE)) {
    const [whole, bold, name, target, bare] = match;
    // Punctuation at the end is part of the sentence.
    const address = bare?.replace(/[.,;:!?)]+$/, "") ?? target;
    const to = address === undefined ? null : safeAddress(address);
    if (bold === undefined && to === null) continue;
    plain(match.index);
    at = match.index + (bare === undefined ? whole.length : (address ?? "").length);
    if (bold !== undefined) inlines.push({ kind: "bold", text: bold });
    else if (to !== null) inlines.push({ kind: "link", text: name ?? address ?? "", to });
  }
  plain(text.length);
  return inlines;
}

/** Returns the text without markup. */
export const plainText = (text: string): string =>
  parseRichText(text)
    .flatMap((block) => (block.kind === "list" ? block.items : [block.inlines]))
    .map((inlines) => inlines.map((inline) => inline.text).join(""))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();

const TITLE = 40;
/** Spec 001 §9: the first 40 characters of the first answer. */
export const titleOf = (answer: string): string => [...plainText(answer)].slice(0, TITLE).join("").trim();
