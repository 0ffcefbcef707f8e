/** `npm run admin -- <email> <phone> <name>`: creates an administrator; prompts for the password (docs/operations.md). */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { connect } from "#app/db/client.server.ts";
import { makeAdmin } from "#app/domains/oversight/users/make-admin.server.ts";
import { passwordProblem } from "#app/domains/platform/accounts/password-rules.server.ts";
import { PASSWORD_MINIMUM } from "#app/domains/platform/accounts/password-rules.ts";
import { normalisePhone } from "#app/lib/phone.ts";
import { env } from "#app/runtime/env.server.ts";
import { argumentsOf, CommandError, systemCtx, withDatabase } from "./with-database.ts";

const given = argumentsOf('npm run admin -- <email> <phone> "<name>" [--new-password]', ["--new-password"]);
if (given) await withDatabase(() => admin(given.words as [string, string, string], given.flags.has("--new-password")));

async function admin([typedEmail, typedPhone, typedName]: [string, string, string], replacePassword: boolean) {
  const email = z.email().max(254).safeParse(typedEmail.trim().toLowerCase());
  if (!email.success) throw new CommandError(`${typedEmail} is not an email address.`);
  const phone = normalisePhone(typedPhone);
  if (!phone) throw new CommandError(`${typedPhone} is not a phone number with ten digits.`);
  const name = typedName.trim();
  if (name.length > 120) throw new CommandError("The name is longer than 120 characters.");
  const { database } = env();
  const password = await readPassword();
  const shortest = PASSWORD_MINIMUM.admin;
  if (password.length < shortest || password.length > 200) throw new CommandError(`The password needs ${shortest} to 200 characters.`);
  const problem = await passwordProblem({ role: "admin", email: email.data, phone }, password);
  if (problem) throw new CommandError(problem);
  const { db, end } = connect(database, { max: 1 });
  try {
    const done = await makeAdmin(systemCtx(db, "admin"), { email: email.data, phone, name, password, replacePassword });
    if (done === "taken")
      throw new CommandError(
        "This address or number belongs to another account, or to one that is closed; nothing was changed. See /admin/users, or take another address.",
      );
    if (done === "there")
      console.log("This administrator is there already; nothing was changed. --new-password gives them the password you typed.");
    if (done === "new-password") console.log("The password is changed, and every login of theirs has ended.");
    if (done === "made") console.log(`${email.data} may log in at /dual-doctor, with this password and a code to the phone.`);
  } finally {
    await end();
  }
}

/** Reads the password from the keyboard without echo, or from the first line of stdin. Arguments are visible to other users. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/)[0] ?? "";
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const keyboard = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write("Password: ");
  keyboard.once("SIGINT", () => process.exit(130));
  const [line] = (await once(keyboard, "line")) as [string];
  keyboard.close();
  process.stderr.write("\n");
  return line;
}
