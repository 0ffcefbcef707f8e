import { type Inline, parseRichText } from "../rich-text.ts";

/** Renders an answer: only paragraphs, lists, bold text and links to other sites. */
export function RichText({ text }: { text: string }) {
  return parseRichText(text).map((block, i) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: pieces of one text have no identity
    if (block.kind === "paragraph")
      return (
        <p key={i} className="whitespace-pre-line">
          <Inlines of={block.inlines} />
        </p>
      );
    const items = block.items.map((item, n) => (
      <li key={n}>
        <Inlines of={item} />
      </li>
    ));
    return block.ordered ? (
      <ol key={i} className="list-decimal pl-5">
        {items}
      </ol>
    ) : (
      <ul key={i} className="list-disc pl-5">
        {items}
      </ul>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
  });
}

const Inlines = ({ of }: { of: Inline[] }) =>
  of.map((inline, i) => {
    const key = `${i} ${inline.kind}`;
    if (inline.kind === "bold") return <b key={key}>{inline.text}</b>;
    if (inline.kind === "text") return <span key={key}>{inline.text}</span>;
    return (
      <a key={key} href={inline.to} rel="noopener noreferrer nofollow" target="_blank">
        {inline.text}
      </a>
    );
  });
