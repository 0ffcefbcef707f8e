/** Voice messages to the assistant. A stub of Gemini answers them; without a model there is no microphone (assistant.spec.ts). */
import type { Page } from "@playwright/test";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

test.use({ permissions: ["microphone"], model: true });

const GREETING = "Hi there! I'm your medical assistant. How can I help you today?";
const accessible = async (page: Page) => {
  expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  const sideways = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  expect(await page.evaluate(sideways)).toBe(false);
};

test("a refused microphone shows a message", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  });
  await page.goto("/patient/ai-chat?new");
  await page.getByRole("button", { name: "Record a voice message" }).click();
  await expect(page.getByRole("alert")).toContainText("Could not access microphone. Please check permissions and try again.");
});

test("a voice message is recorded, sent and stored, and the microphone is released", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  // The sound comes from the page, so no device is needed; the recorder is the browser's.
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const audio = new AudioContext();
      const tone = audio.createOscillator();
      const out = audio.createMediaStreamDestination();
      tone.connect(out);
      tone.start();
      const page = window as unknown as { streams?: MediaStream[] };
      page.streams = [...(page.streams ?? []), out.stream];
      return out.stream;
    };
  });
  // Reached from another page by client-side navigation: the document is loaded again, because the old one has no microphone permission.
  await page.goto("/patient/profile");
  await page.getByRole("link", { name: "Chat with AI" }).click();
  await page.getByRole("link", { name: "Start Chat" }).click();
  await expect(page.getByRole("log").getByText(GREETING)).toBeVisible();
  const allowed = () =>
    (document as unknown as { featurePolicy?: { allowsFeature(f: string): boolean } }).featurePolicy?.allowsFeature("microphone") ?? true;
  expect(await page.evaluate(allowed)).toBe(true);
  // Two quick presses open one microphone.
  await page.getByRole("button", { name: "Record a voice message" }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(page.getByRole("timer")).toHaveText("Recording 0:01");
  const stop = page.getByRole("button", { name: "Stop and send" });
  await expect(stop).toBeFocused();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeHidden();
  await accessible(page);
  await stop.click();
  await expect(page.getByText("We heard: what helps against a cold")).toBeVisible();
  await expect(page.getByText("Rest and drink water.")).toBeVisible();
  expect(
    await page.evaluate(() =>
      (window as unknown as { streams: MediaStream[] }).streams.map((s) => s.getTracks().every((t) => t.readyState === "ended")),
    ),
  ).toEqual([true]);
  const audio = page.getByLabel("Voice message", { exact: true });
  await expect(audio).toBeVisible();
  const file = await page.request.get((await audio.getAttribute("src")) ?? "");
  // This browser records WebM, which the model does not hear: the page converts it.
  expect(file.headers()["content-type"]).toBe("audio/wav");
  const sound = await file.body();
  expect([sound.readUInt16LE(22), sound.readUInt32LE(24), sound.readUInt16LE(34)]).toEqual([1, 16_000, 16]);
  expect(sound.length).toBeGreaterThan(16_000);
  await page.getByRole("link", { name: "All chats" }).click();
  await expect(page.getByRole("link", { name: /^Voice Chat / })).toBeVisible();
});

test("a browser that cannot convert its recording offers typing", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => new AudioContext().createMediaStreamDestination().stream;
    OfflineAudioContext.prototype.decodeAudioData = () => Promise.reject(new DOMException("no", "EncodingError"));
  });
  await page.goto("/patient/ai-chat?new");
  await page.getByRole("button", { name: "Record a voice message" }).click();
  await page.getByRole("button", { name: "Stop and send" }).click();
  await expect(page.getByRole("alert")).toContainText("We cannot use this recording. Type your question,");
  await expect(page.getByRole("button", { name: "Record a voice message" })).toBeEnabled();
});

test("a browser that records Ogg sends it unchanged", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => new AudioContext().createMediaStreamDestination().stream;
    // Firefox's recorder, in this browser.
    class OggRecorder {
      static isTypeSupported = (type: string) => type === "audio/ogg;codecs=opus";
      mimeType = "audio/ogg; codecs=opus";
      state = "inactive";
      ondataavailable = (_: { data: Blob }) => {};
      onstop = () => {};
      start() {
        this.state = "recording";
      }
      stop() {
        this.state = "inactive";
        this.ondataavailable({ data: new Blob(["OggS as it was recorded"]) });
        this.onstop();
      }
    }
    (window as unknown as { MediaRecorder: unknown }).MediaRecorder = OggRecorder;
  });
  await page.goto("/patient/ai-chat?new");
  await page.getByRole("button", { name: "Record a voice message" }).click();
  await page.getByRole("button", { name: "Stop and send" }).click();
  await expect(page.getByText("We heard: what helps against a cold")).toBeVisible();
  const file = await page.request.get((await page.getByLabel("Voice message", { exact: true }).getAttribute("src")) ?? "");
  expect([file.headers()["content-type"], await file.text()]).toEqual(["audio/ogg", "OggS as it was recorded"]);
});

test("WebM of a phone app is stored as Ogg that plays", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/ai-chat?new");
  const sounds = await page.evaluate(async () => {
    const audio = new AudioContext();
    const tone = audio.createOscillator();
    const out = audio.createMediaStreamDestination();
    tone.connect(out);
    tone.start();
    const recorder = new MediaRecorder(out.stream, { mimeType: "audio/webm;codecs=opus" });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const stopped = new Promise((done) => {
      recorder.onstop = done;
    });
    // In pieces, as a stream: with clusters of unknown length.
    recorder.start(200);
    await new Promise((done) => setTimeout(done, 1500));
    recorder.stop();
    await stopped;
    const webm = new Blob(parts);
    const body = new FormData();
    body.set("key", crypto.randomUUID());
    body.set("voice", webm, "voice.webm");
    const answer = await fetch("/patient/ai-chat/ask", { method: "POST", body });
    const { conversation } = JSON.parse((await answer.text()).split("\n")[0]!);
    const chat = await (await fetch(`/patient/ai-chat?c=${conversation}`)).text();
    const file = await fetch(/src="(\/files\/[0-9a-f-]+)"/.exec(chat)![1]!);
    const decode = async (sound: Response) => (await audio.decodeAudioData(await sound.arrayBuffer())).duration;
    return {
      type: file.headers.get("content-type"),
      heard: chat.includes("what helps against a cold"),
      lengths: [await decode(new Response(webm)), await decode(file)],
    };
  });
  expect(sounds).toMatchObject({ type: "audio/ogg", heard: true });
  expect(sounds.lengths[0]).toBeGreaterThan(1);
  expect(Math.abs(sounds.lengths[0]! - sounds.lengths[1]!)).toBeLessThan(0.1);
});

test("a recording ends by itself after 60 seconds @js", async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.clock.install();
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => new AudioContext().createMediaStreamDestination().stream;
  });
  await page.goto("/patient/ai-chat?new");
  await page.getByRole("button", { name: "Record a voice message" }).click();
  await expect(page.getByRole("timer")).toHaveText("Recording 0:00");
  for (let second = 1; second < 60; second++) {
    await page.clock.runFor(1000);
    await expect(page.getByRole("timer")).toHaveText(`Recording 0:${String(second).padStart(2, "0")}`);
  }
  await page.clock.runFor(1000);
  await expect(page.getByRole("timer")).toHaveCount(0);
});

test("a recording that cannot be played shows a message", { tag: "@js" }, async ({ page, logIn, server }) => {
  const { userId } = await logIn(DEMO.patient);
  const [chat] = await server.sql<{ id: string }[]>`insert into conversations (owner_id, voice) values (${userId}, true) returning id`;
  await server.sql`insert into chat_messages (conversation_id, role, voice) values (${chat!.id}, 'user', true)`;
  await page.goto(`/patient/ai-chat?c=${chat!.id}`);
  await expect(page.getByText("Error playing voice message")).toBeVisible();
});
