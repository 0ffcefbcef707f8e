import { href } from "react-router";
import { z } from "zod";
import { listDemoHints, readDemoPhone, writeOnDemoPhone } from "#app/domains/messages/demo-phone/demo-phone.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { formatPhone, normalisePhone } from "#app/lib/phone.ts";
import { MESSAGE_CHANNELS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { bubble } from "#app/ui/members/bubble.ts";
import { Chips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/phone.ts";

/** A phone in demo mode: SMS and WhatsApp both ways, without scripts. */
export const handle: PageHandle = { lite: true };

const DEMO_PHONE = "+919000000142";
const REFRESH_SECONDS = 3;
const Schema = z.object({
  phone: z.string().transform((typed) => normalisePhone(typed) ?? DEMO_PHONE),
  channel: z.enum(MESSAGE_CHANNELS).catch("sms"),
  text: z.string().max(1000).default(""),
  pressed: z.string().max(20).optional(),
  call: z.string().optional(),
});

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  const { phone, channel } = Schema.parse({ phone: "", ...Object.fromEntries(new URL(request.url).searchParams) });
  const [lines, hints] = await Promise.all([readDemoPhone(ctx, phone, channel), listDemoHints(ctx)]);
  return { phone, channel, hints, lines: lines.map(({ at, ...line }) => ({ ...line, at: formatInstant(at) })) };
});

export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "no-store" });

export const action = ({ context, request }: Route.ActionArgs) =>
  submitForm(request, Schema, async ({ phone, channel, text, pressed, call }) => {
    const label = pressed?.split("|").slice(1).join("|");
    await writeOnDemoPhone(ctxOf(context), {
      ...{ phone, channel, kind: call ? "call" : "text", text: label || text },
      pressed: pressed?.split("|")[0],
    });
    return redirectTo(`${pathOf(phone, channel)}#end`);
  });

const pathOf = (phone: string, channel: string) => `${href("/dev/phone")}?${new URLSearchParams({ phone, channel })}`;

type Data = Route.ComponentProps["loaderData"];

export default function PhonePage({ loaderData: { phone, channel, hints, lines } }: Route.ComponentProps) {
  const last = lines.at(-1);
  return (
    <Page title={m.phone_title()} className="space-y-4">
      {/* An answer is on its way. */}
      {last?.own && <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />}
      <p className="text-ink-soft">{m.phone_about()}</p>
      <ChoosePhone phone={phone} channel={channel} />
      <Chips
        label={m.phone_channel()}
        chips={MESSAGE_CHANNELS.map((one) => ({
          to: pathOf(phone, one),
          label: one === "sms" ? m.phone_sms() : m.phone_whatsapp(),
          current: one === channel,
        }))}
      />
      <ol className="space-y-3 border border-line rounded-lg p-3" aria-label={m.phone_messages()}>
        {lines.length === 0 && (
          <li className="text-ink-soft">
            {hints.keywords.length ? m.phone_empty_with({ keyword: hints.keywords[0]!.keyword }) : m.phone_empty()}
          </li>
        )}
        {lines.map((line, i) => (
          <Line key={line.id} line={line} phone={phone} channel={channel} isLast={i === lines.length - 1} />
        ))}
      </ol>
      <WriteMessage phone={phone} channel={channel} />
      {hints.keywords.length > 0 && (
        <p className="text-ink-soft">
          {m.phone_keywords({ list: hints.keywords.map(({ keyword, doctor }) => `${keyword} (${doctor})`).join(", ") })}
        </p>
      )}
    </Page>
  );
}

const ChoosePhone = ({ phone, channel }: Pick<Data, "phone" | "channel">) => (
  <form action={href("/dev/phone")}>
    <label className="label" htmlFor="phone-number">
      {m.phone_number()}
    </label>
    <input
      className="input mb-2"
      id="phone-number"
      name="phone"
      type="tel"
      inputMode="tel"
      autoComplete="off"
      defaultValue={formatPhone(phone)}
    />
    <input type="hidden" name="channel" value={channel} />
    <Button type="submit" variant="second">
      {m.phone_pick()}
    </Button>
  </form>
);

const WriteMessage = ({ phone, channel }: Pick<Data, "phone" | "channel">) => (
  <form id="end" method="post" className="space-y-3" autoComplete="off">
    <input type="hidden" name="phone" value={phone} />
    <input type="hidden" name="channel" value={channel} />
    <label className="label" htmlFor="phone-text">
      {m.phone_text()}
    </label>
    <input className="input" id="phone-text" name="text" maxLength={1000} />
    <div className="row flex-wrap">
      <Button type="submit">{m.phone_send()}</Button>
      {channel === "sms" && (
        <Button type="submit" variant="second" name="call" value="1">
          {m.phone_call()}
        </Button>
      )}
      <LinkButton variant="quiet" to={`${pathOf(phone, channel)}#end`}>
        {m.outbox_refresh()}
      </LinkButton>
    </div>
  </form>
);

type Shown = Route.ComponentProps["loaderData"]["lines"][number];
function Line({ line, phone, channel, isLast }: { line: Shown; phone: string; channel: string; isLast: boolean }) {
  return (
    <li className={bubble(line.own)}>
      <span className="sr-only">{line.own ? m.phone_you() : m.phone_nadi()}</span>
      <p className="whitespace-pre-line wrap-anywhere">{line.body}</p>
      <p className="text-sm text-ink-soft">{line.at}</p>
      {line.choices.length > 0 && (
        <form method="post" className="space-y-2 mt-2">
          <input type="hidden" name="phone" value={phone} />
          <input type="hidden" name="channel" value={channel} />
          {line.choices.map(({ label, value, about }) => (
            <Button key={value} type="submit" variant={isLast ? "second" : "quiet"} full name="pressed" value={`${value}|${label}`}>
              {about ? `${label}, ${about}` : label}
            </Button>
          ))}
        </form>
      )}
    </li>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.phone_title() }) }, { name: "robots", content: "noindex" }];
