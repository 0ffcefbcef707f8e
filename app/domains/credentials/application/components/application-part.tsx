import type { ReactNode } from "react";

/** A part of the application's second step, under its heading. `id`: where a button that only keeps leads back to. */
export function Part({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section className="section part" id={id} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
