import { href } from "react-router";
import { formatDayShort } from "#app/lib/dates.ts";
import { BASE_LANGUAGE, language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import type { MissingPart } from "../next-steps.ts";

const PART: Record<MissingPart, () => string> = {
  about: () => m.statistics_part_about(),
  fee: () => m.statistics_part_fee(),
  photo: () => m.statistics_part_photo(),
  languages: () => m.statistics_part_languages(),
};

/**
 * Joins a list: "a photo and the fee" in English, with commas in Telugu and Hindi. By hand, because the first `Intl.ListFormat` of a page
 * takes a phone 0.1 s. @internal
 */
export function listed(words: string[]): string {
  if (words.length < 2 || language() !== BASE_LANGUAGE) return words.join(", ");
  return `${words.slice(0, -1).join(", ")}${words.length > 2 ? "," : ""} and ${words.at(-1)}`;
}

type Props = {
  steps: { waiting: number; unclosed: number; emptyWeek: { from: string; until: string } | null; missing: MissingPart[] };
  practice: string;
};

/** Suggested next steps of the doctor, most urgent first; nothing when everything is done. `practice`: the first one of the doctor. */
export function NextStepsCard({ steps: { waiting, unclosed, emptyWeek, missing }, practice }: Props) {
  const list: { key: string; icon: IconName; text: string; to: string; word: string }[] = [];
  if (waiting > 0)
    list.push({
      key: "waiting",
      icon: "clock",
      text: m.statistics_next_waiting({ count: waiting }),
      to: href("/doctor/appointments"),
      word: m.statistics_next_waiting_do(),
    });
  if (unclosed > 0)
    list.push({
      key: "unclosed",
      icon: "circle-alert",
      text: m.statistics_next_unclosed({ count: unclosed }),
      to: href("/doctor/appointments"),
      word: m.statistics_next_unclosed_do(),
    });
  if (emptyWeek)
    list.push({
      key: "week",
      icon: "calendar-x",
      text: m.statistics_next_week({ from: formatDayShort(emptyWeek.from), until: formatDayShort(emptyWeek.until) }),
      to: href("/doctor/practices/:id/hours", { id: practice }),
      word: m.practices_hours_title(),
    });
  if (missing.length > 0)
    list.push({
      key: "profile",
      icon: "user-round",
      text: m.statistics_next_profile({ parts: listed(missing.map((part) => PART[part]())) }),
      to: href("/doctor/profile/edit"),
      word: m.statistics_next_profile_do(),
    });
  if (list.length === 0) return null;
  return (
    <section className="card mt-7" aria-labelledby="h-next">
      <h2 id="h-next">{m.statistics_next()}</h2>
      <ul>
        {list.map(({ key, icon, text, to, word }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-2.5 last:border-0 last:pb-0">
            <Icon name={icon} />
            <span className="grow">{text}</span>
            <LinkButton to={to} variant="second" size="sm">
              {word}
            </LinkButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
