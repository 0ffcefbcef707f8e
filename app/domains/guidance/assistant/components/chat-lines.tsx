import { useState } from "react";
import { href } from "react-router";
import { freeWord } from "#app/domains/directory/doctors/free-word.ts";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { bubble } from "#app/ui/members/bubble.ts";
import { Disc, Note } from "#app/ui/pieces.tsx";
import { type ChatDoctor, type ChatLine, failureWord, type Reader } from "../chat-line.ts";
import { scriptOf } from "../script.ts";
import { RichText } from "./rich-text.tsx";

/** The lines of a chat in order. */
export function ChatLines({ lines, reader, today, here }: { lines: ChatLine[]; reader: Reader; today: string; here: string }) {
  return lines.map((line, i) =>
    line.role === "user" ? (
      <Message key={line.id} line={line} />
    ) : (
      <Answer key={line.id} line={line} reader={reader} today={today} here={here} voice={lines[i - 1]?.voice ?? false} />
    ),
  );
}

/** A chat bubble with its author for screen readers. */
export function Bubble({ mine, soft, children }: { mine?: boolean; soft?: boolean; children: React.ReactNode }) {
  return (
    <div className={bubble(mine, "space-y-1", soft && "text-ink-soft")}>
      <span className="sr-only">{mine ? m.assistant_you() : m.assistant_it()}: </span>
      {children}
    </div>
  );
}

/** An answer may be in another language than the page: screen readers need to know. */
const langOf = (text: string) => scriptOf(text) ?? "en";

function Message({ line: { content, voice, file } }: { line: ChatLine }) {
  return (
    <Bubble mine>
      {voice && <VoiceMessage fileId={file?.id ?? null} />}
      {voice && content && <p className="text-sm text-ink-soft">{m.assistant_voice_heard({ text: content })}</p>}
      {!voice && file && (
        <p>
          <a href={`${href("/files/:id", { id: file.id })}${file.image ? "" : "?download=1"}`}>
            {m.assistant_file_note({ name: file.name })}
          </a>
        </p>
      )}
      {!voice && content && (
        <p className="whitespace-pre-line" lang={scriptOf(content) ?? undefined}>
          {content}
        </p>
      )}
    </Bubble>
  );
}

/** Plays from our server, for the owner only. */
function VoiceMessage({ fileId }: { fileId: string | null }) {
  const [failed, setFailed] = useState(false);
  return (
    <>
      {fileId && (
        // biome-ignore lint/a11y/useMediaCaption: the transcript is below
        <audio
          className="block w-64 max-w-full"
          controls
          preload="none"
          src={href("/files/:id", { id: fileId })}
          aria-label={m.assistant_voice_message()}
          onError={() => setFailed(true)}
        />
      )}
      {(failed || !fileId) && <p role="alert">{m.assistant_playback_failed()}</p>}
    </>
  );
}

function Answer({ line, reader, today, here, voice }: { line: ChatLine; reader: Reader; today: string; here: string; voice: boolean }) {
  const { state } = line;
  if (state === "waiting")
    return (
      <Bubble soft>
        <p role="status">{m.assistant_typing()}</p>
        <p className="text-sm">
          <AnyLink to={here}>{m.assistant_typing_reload()}</AnyLink>
        </p>
      </Bubble>
    );
  if (state === "emergency") return <Emergency />;
  if (state === "unreachable" || state === "empty")
    return (
      <Bubble>
        <p>{failureWord(reader, state, voice)}</p>
        {voice && <p>{m.assistant_type_instead()}</p>}
      </Bubble>
    );
  return (
    <>
      <Bubble>
        <div className="space-y-1" lang={langOf(line.content)}>
          <RichText text={line.content} />
        </div>
        <Sources of={line} />
        <p className="text-sm text-ink-soft">{line.by === "model" ? m.assistant_by_model() : m.assistant_by_helper()}</p>
      </Bubble>
      {line.doctors.length > 0 && <Doctors doctors={line.doctors} today={today} />}
    </>
  );
}

const SOURCE = "inline-flex min-h-target-min items-center";

function Sources({ of: { sources } }: { of: ChatLine }) {
  if (sources.length === 0) return null;
  return (
    <div className="text-sm">
      <p className="text-ink-soft">{m.assistant_sources()}</p>
      <ul>
        {sources.map(({ label, to }) => (
          <li key={label}>
            {!to ? (
              label
            ) : to.startsWith("/") ? (
              <AnyLink className={SOURCE} to={to} lang={langOf(label)}>
                {label}
              </AnyLink>
            ) : (
              <OtherSite to={to} label={label} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
const OtherSite = ({ to, label }: { to: string; label: string }) => (
  <a className={SOURCE} href={to} rel="noopener noreferrer nofollow" target="_blank">
    {label}
  </a>
);

/** Shown before any model is called: the emergency numbers, and a link to the emergency page (docs/decisions/021). */
function Emergency() {
  return (
    <Note tone="bad" icon="siren" role="alert">
      <div className="space-y-1">
        <p>
          <b>{m.assistant_emergency()}</b>
        </p>
        <p className="row flex-wrap">
          <LinkButton to="tel:108" variant="sos" icon="phone-call">
            {m.assistant_call_108()}
          </LinkButton>
          <LinkButton to="tel:112" variant="danger" icon="phone-call">
            {m.assistant_call_112()}
          </LinkButton>
          <LinkButton to={href("/patient/emergency-contact")} reloadDocument variant="second" icon="siren">
            {m.assistant_emergency_sos()}
          </LinkButton>
        </p>
      </div>
    </Note>
  );
}

function Doctors({ doctors, today }: { doctors: ChatDoctor[]; today: string }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-3" aria-label={m.assistant_doctors()}>
      {doctors.map((doctor) => (
        <li key={doctor.id} className="card">
          <div className="row items-start">
            <Disc id={doctor.id} name={doctor.name} photo={photoPath(doctor.photo)} size="sm" />
            <div className="grow">
              <p>
                <AnyLink to={href("/details/doctor/:id", { id: doctor.id })}>
                  <b>{doctor.name}</b>
                </AnyLink>
              </p>
              <p className="text-sm text-ink-soft">{specialtyWord(doctor.specialization)}</p>
              <p className="text-sm text-ink-soft">{[doctor.area, doctor.city].filter(Boolean).join(", ")}</p>
            </div>
          </div>
          <p className="row flex-wrap text-sm">
            <span className="grow">{doctor.nextFree ? freeWord(doctor.nextFree, today) : m.doctors_no_free()}</span>{" "}
            <b className="num">{doctor.fee === null ? m.doctors_fee_unknown() : formatRupees(doctor.fee)}</b>
          </p>
          <LinkButton
            to={`${href("/patient/appointments/datetime")}?doctorId=${doctor.id}`}
            variant="second"
            size="sm"
            full
            aria-label={m.assistant_book_of({ name: doctor.name })}
          >
            {m.assistant_book()}
          </LinkButton>
        </li>
      ))}
    </ul>
  );
}
