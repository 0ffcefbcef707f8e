/** What the pages of an import share. */
import type { ReactNode } from "react";
import type { FormAnswer } from "#app/http/submit-form.server.ts";
import type { ImportKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { NadiForm } from "#app/ui/form.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { loadImport } from "./moving.server.ts";

export type Data<Loader extends (...args: never[]) => unknown> = Awaited<ReturnType<Loader>>;
export type Result = FormAnswer["result"] | undefined;
export type ImportData = Data<typeof loadImport>;
export type StepProps = { data: ImportData; form: NadiForm; base: string; here: string };

/** Seconds between two looks at a running job. */
export const AGAIN = 5;

export const Frame = ({
  kind,
  name,
  back,
  step,
  children,
}: {
  /** Unknown before the file is there. */
  kind?: ImportKind;
  name: string;
  back: string;
  step?: number;
  children: ReactNode;
}) => (
  <Page
    wide
    wizard
    title={<Titled title={kind === "appointments" ? m.import_title_appointments() : m.import_title()} name={name} />}
    back={{ to: back }}
  >
    {step !== undefined && (
      <div className="mb-5 max-w-176">
        <Steps
          label={m.import_steps()}
          steps={[m.import_step_upload(), m.import_step_columns(), m.import_step_check(), m.import_step_done()]}
          current={step}
        />
      </div>
    )}
    {children}
  </Page>
);
export const Titled = ({ title, name }: { title: ReactNode; name: string }) => (
  <>
    {title} <span className="font-medium text-ink-soft max-desktop:hidden">{name}</span>
  </>
);

export const DockLine = ({ first, children }: { first: string; children: ReactNode }) => (
  <Dock>
    <p className="grow leading-snug">
      <b>{first}</b>
      <span className="block text-sm text-ink-soft">{m.import_nothing_saved()}</span>
    </p>
    {children}
  </Dock>
);

/** A card on wide screens. On a phone the lines inside are the cards. */
export const WIDE_CARD = "desktop:rounded-lg desktop:border desktop:border-line desktop:bg-card desktop:p-4";

/** A table whose lines are cards on a phone. */
export const Table = ({ head, children }: { head: string[]; children: ReactNode }) => (
  <table className="mt-3 w-full border-collapse max-desktop:block">
    <thead className="text-left text-sm text-ink-soft max-desktop:hidden">
      <tr>
        {head.map((name) => (
          <th key={name} scope="col" className="border-b border-line px-2 py-2.5 font-medium">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody className="max-desktop:block">{children}</tbody>
  </table>
);
export const Row = ({ children }: { children: ReactNode }) => (
  <tr className="max-desktop:mt-3 max-desktop:block max-desktop:rounded-lg max-desktop:border max-desktop:border-line max-desktop:bg-card max-desktop:px-4 max-desktop:py-3.5">
    {children}
  </tr>
);
export const Cell = ({ children, className = "" }: { children?: ReactNode; className?: string }) => (
  <td
    className={`max-desktop:block max-desktop:py-0.5 max-desktop:empty:hidden desktop:border-b desktop:border-line desktop:px-2 desktop:py-2 ${className}`}
  >
    {children}
  </td>
);
export const OnPhone = ({ children }: { children: ReactNode }) => (
  <span className="text-sm text-ink-soft desktop:hidden">{children}: </span>
);
