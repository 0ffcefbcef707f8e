/** Grey bars during loading, with JavaScript only. */
export function Skeleton({ lines = 3, label }: { lines?: number; label: string }) {
  return (
    <div className="card" role="status">
      <span className="sr-only">{label}</span>
      <div
        className="*:h-4 *:rounded-[0.5rem] *:bg-well motion-safe:*:[animation:glow_1.6s_ease-in-out_infinite] space-y-1"
        aria-hidden="true"
      >
        {Array.from({ length: lines }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity
          <p key={i} />
        ))}
      </div>
    </div>
  );
}
