import { m } from "#app/paraglide/messages.js";
import { Finder } from "#app/ui/finder.tsx";
import type { Faq } from "../faqs.ts";
import { ContactCards } from "./contact-cards.tsx";
import { FaqList } from "./faq-list.tsx";

type HelpQuestionsProps = {
  /** The URL of the page, for its search form. */
  here: string;
  text: string;
  faqs: Faq[];
  support: { phone: string | null; email: string | null; demo: boolean };
  placeholder: string;
  /** Shown without matches. */
  none: string;
};

/** The parts of every help page: search, contact, questions. After a search the matches come first. */
export function HelpQuestions({ here, text, faqs, support, placeholder, none }: HelpQuestionsProps) {
  const contact = (
    <section className="mt-7" aria-labelledby="h-contact">
      <h2 id="h-contact" className="mb-3">
        {m.help_contact()}
      </h2>
      <ContactCards support={support} />
    </section>
  );
  return (
    <>
      <Finder
        action={here}
        label={m.help_search()}
        placeholder={placeholder}
        text={text}
        button={m.help_search_do()}
        clear={{ to: here, label: m.help_search_clear() }}
      />
      {!text && contact}
      <section className="mt-7" aria-labelledby="h-faqs">
        <h2 id="h-faqs" className="mb-3">
          {m.help_faqs()}
        </h2>
        {faqs.length ? (
          <FaqList faqs={faqs} />
        ) : (
          <p className="text-ink-soft" role="status">
            {none}
          </p>
        )}
      </section>
      {text && contact}
    </>
  );
}
