import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { randomOf } from "../../../../tests/setup/waitlist-simulation.ts";
import { startAutosave } from "./autosave.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answers = {
  saved: () => Response.json({ savedAt: "10:30" }),
  conflict: () => Response.json({ message: "Another tab saved" }, { status: 409 }),
  login: () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  failed: () => Response.json({ message: "Failed" }, { status: 503 }),
};

it.each(Array.from({ length: 200 }, (_, seed) => seed))(
  "saves nothing after the form was submitted, whatever is in flight (delays %s)",
  async (seed) => {
    const random = randomOf(seed);
    const form = new EventTarget();
    const posts: number[] = [];
    let turn = 0;
    const end = startAutosave({
      form,
      page: new EventTarget(),
      count: () => {
        turn++;
      },
      post: async () => {
        posts.push(turn);
        await new Promise((ok) => setTimeout(ok, random() * 20_000));
        if (random() < 0.3) throw new TypeError("network");
        return Object.values(answers)[Math.floor(random() * 4)]!();
      },
      show: () => undefined,
    });
    const later = (most: number) => vi.advanceTimersByTimeAsync(random() * most);
    for (let n = 0; n < 3; n++) {
      form.dispatchEvent(new Event("input"));
      await later(4_000);
    }
    form.dispatchEvent(new Event("submit"));
    const [signed, before] = [turn, posts.length];
    // The next page loads while answers arrive, late ones after it.
    await later(8_000);
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(posts.length).toBe(before);
    expect(posts.every((post) => post < signed)).toBe(true);
  },
);

it("saves again after a refused submission, with the next input", async () => {
  const form = new EventTarget();
  const post = vi.fn(async () => answers.saved());
  const end = startAutosave({ form, page: new EventTarget(), count: () => undefined, post, show: () => undefined });
  form.dispatchEvent(new Event("submit"));
  form.dispatchEvent(new Event("input"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(post).toHaveBeenCalledOnce();
  end();
});
