import { Icon } from "#app/ui/icon.tsx";
import type { Faq } from "../faqs.ts";

/** Questions with one answer open at a time. Native `<details>`, without JavaScript. */
export function FaqList({ faqs }: { faqs: Faq[] }) {
  return (
    <div className="faqs">
      {faqs.map((faq) => (
        <details key={faq.id} name="faq" id={faq.id}>
          <summary>
            <span className="grow">{faq.question}</span>
            <Icon name="chevron-down" small />
          </summary>
          <p>{faq.answer}</p>
        </details>
      ))}
    </div>
  );
}
