import { useEffect, useRef } from "react";
import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { failureWord, type Reader } from "../chat-line.ts";
import { Bubble } from "./chat-lines.tsx";
import { RichText } from "./rich-text.tsx";
import type { Pending } from "./use-talk.ts";

/** The sent message, and its answer while it streams. */
export function PendingLines({ pending, reader }: { pending: Pending; reader: Reader }) {
  const { text, note, voice, answer, failed } = pending;
  const answers = text !== "" || voice;
  return (
    <>
      {note && (
        <Bubble mine>
          <p>{m.assistant_file_note({ name: note })}</p>
        </Bubble>
      )}
      {voice && (
        <Bubble mine>
          <p>{m.assistant_voice_message()}</p>
        </Bubble>
      )}
      {text && (
        <Bubble mine>
          <p className="whitespace-pre-line">{text}</p>
        </Bubble>
      )}
      {failed === "login" ? (
        <Bubble>
          <p>{m.assistant_please_login()}</p>
          <p>
            <LinkButton
              to={reader === "doctor" ? href("/dual-doctor") : `${href("/dual-patient")}?redirectTo=/patient/ai-chat`}
              size="sm"
              variant="second"
            >
              {m.assistant_log_in()}
            </LinkButton>
          </p>
        </Bubble>
      ) : failed ? (
        <Bubble>
          <p>{failureWord(reader, "unreachable", voice)}</p>
          {voice && <p>{m.assistant_type_instead()}</p>}
        </Bubble>
      ) : answer ? (
        <Bubble>
          <RichText text={answer} />
        </Bubble>
      ) : (
        answers && (
          <Bubble soft>
            <p className="typing" role="status">
              {m.assistant_typing()}
            </p>
          </Bubble>
        )
      )}
    </>
  );
}

/** The column beside the talk, on wide screens. */
export const besideTalk = "[&>*+*]:mt-3 desktop:border-r desktop:border-line desktop:pr-6";

/** Scrolls to the newest line. */
export function EndOfTalk({ of }: { of: unknown }) {
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` changes with each new line
  useEffect(() => {
    end.current?.scrollIntoView({ block: "end" });
  }, [of]);
  return <div ref={end} id="end" className="scroll-mb-52" />;
}
