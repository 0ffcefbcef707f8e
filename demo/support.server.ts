import { and, eq, inArray } from "drizzle-orm";
import { supportMessages, supportThreads, users } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { hours } from "#app/lib/durations.ts";
import type { SupportTopic } from "#app/lib/vocabulary.ts";
import { demoId } from "./ids.server.ts";
import { DOCTORS, PATIENTS } from "./people.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";

type Question = {
  name: string;
  user: string;
  topic: SupportTopic;
  messages: { hoursAgo: number; text: string; bySupport?: true }[];
};
const QUESTIONS: Question[] = [
  {
    name: "answered",
    user: demoId(`patient ${PATIENTS[0]!.name}`),
    topic: "payment",
    messages: [
      { hoursAgo: 30, text: "I paid at the clinic. Why does the app still show the fee as due?" },
      {
        hoursAgo: 26,
        text: "The clinic enters payments at its counter. Ask for a receipt there: then the app shows the fee as paid.",
        bySupport: true,
      },
    ],
  },
  {
    name: "open",
    user: demoId(`doctor ${DOCTORS[0]!.fullName}`),
    topic: "account",
    messages: [{ hoursAgo: 5, text: "My new hospital is not in the list. How can I add it?" }],
  },
];

const adminId = demoId("admin");

/**
 * Inserts a question to support of the demo patient and of the demo doctor. Idempotent; does nothing without demo data, and for a
 * deleted account.
 */
export async function seedDemoSupport(ctx: SeedCtx): Promise<void> {
  const people = [adminId, ...QUESTIONS.map(({ user }) => user)];
  await locked(ctx, async (db) => {
    const active = await db
      .select({ id: users.id })
      .from(users)
      .where(and(inArray(users.id, people), eq(users.status, "active")));
    if (active.length < people.length) return;
    for (const { name, user, topic, messages } of QUESTIONS) {
      const id = demoId(`support ${name}`);
      const times = messages.map(({ hoursAgo }) => new Date(ctx.now.getTime() - hours(hoursAgo)));
      const open = name === "open";
      const [made] = await db
        .insert(supportThreads)
        .values({
          id,
          reference: `NS-DEMO-${name.slice(0, 4).toUpperCase()}`,
          userId: user,
          topic,
          state: open ? "open" : "answered",
          waitingSince: open ? times[0]! : null,
          assigneeId: open ? null : adminId,
          lastMessageAt: times.at(-1)!,
          createdAt: times[0]!,
        })
        .onConflictDoNothing()
        .returning({ id: supportThreads.id });
      if (!made) continue;
      await db.insert(supportMessages).values(
        messages.map(({ text, bySupport = false }, i) => {
          const messageId = demoId(`support ${name} ${i}`);
          return {
            id: messageId,
            threadId: id,
            authorId: bySupport ? adminId : user,
            bySupport,
            content: sealed(supportMessages.content, messageId, text, ctx.keys),
            formKey: messageId,
            createdAt: times[i]!,
          };
        }),
      );
    }
  });
}
