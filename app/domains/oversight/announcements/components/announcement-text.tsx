/** The plain text of an announcement, a paragraph for each line. */
export function AnnouncementText({ title, message, language }: { title: string; message: string; language: string }) {
  const lines = message.split("\n").filter((line) => line.trim());
  return (
    <div lang={language}>
      <p>
        <b>{title}</b>
      </p>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that does not change
        <p key={i}>{line}</p>
      ))}
    </div>
  );
}
