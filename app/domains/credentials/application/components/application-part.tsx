import type { ReactNode } from "react";

/** A part of the application's second step with its heading. `id`: the anchor that a button which only stores returns to. */
export function Part({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section className="mt-3 border-t border-line pt-5 [&>.field]:mt-4 [&>:is(.btn,.row)]:mt-3" id={id} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
