import { Icon } from "#app/ui/icon.tsx";
import type { Faq } from "../faqs.ts";

/** Questions with one answer open at a time. Native `<details>`, without JavaScript. */
export function FaqList({ faqs }: { faqs: Faq[] }) {
  return (
    <div>
      {faqs.map((faq) => (
        <details key={faq.id} className="group border-b border-line" name="faq" id={faq.id}>
          <summary className="flex min-h-target list-none items-center gap-2 py-2 [&::-webkit-details-marker]:hidden">
            <span className="grow">{faq.question}</span>
            <Icon name="chevron-down" small className="group-open:rotate-180" />
          </summary>
          <p className="pb-4">{faq.answer}</p>
        </details>
      ))}
    </div>
  );
}
