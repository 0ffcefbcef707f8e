/** Voice messages and files of the assistant over HTTP, beside a stub of Gemini. */
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { pdf } from "../factories/pdfs.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { amr, mp4, webm } from "../factories/sounds.ts";
import { zip64Claiming, zipClaiming } from "../factories/zips.ts";
import { gemini3, sse, textReply } from "../mocks/gemini.ts";
import type { Reply } from "../mocks/http-stub.ts";
import { ask, CHAT, doctor, model, newKey, patient, server, stream, stub } from "../setup/assistant.ts";
import { Browser, raw } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";

/** A recording with different bytes at every position, so that a wrong range is detected. */
const SOUND = Buffer.concat([Buffer.from("OggS"), Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7 + (i >> 8)) % 256))]);

describe("voice", () => {
  it("sends the recording unchanged, titles it Voice Chat, and plays it in ranges to its owner only", async () => {
    model.reply = () => textReply("HEARD: namaskaram\nHello to you.");
    const { lines, text } = await stream(patient, { voice: asFile(SOUND, "voice-message.ogg") });
    expect(text).toBe("");
    expect(JSON.parse(String(stub.seen[0]?.body)).contents[0].parts[0].inlineData).toEqual({
      mimeType: "audio/ogg",
      data: SOUND.toString("base64"),
    });
    const page = await patient.get(`${CHAT}?c=${lines[0].conversation}`);
    expect(readable(page.text)).toContain("Voice Chat");
    expect(readable(page.text)).toContain("We heard: namaskaram");
    expect(readable(page.text)).toContain("Hello to you.");
    const path = /src="(\/files\/[0-9a-f-]+)"/.exec(page.text)![1]!;
    const whole = await patient.get(path);
    expect(whole.headers.get("content-type")).toBe("audio/ogg");
    expect(whole.headers.get("accept-ranges")).toBe("bytes");
    const part = await patient.get(path, { range: "bytes=10-19" });
    expect([part.status, part.headers.get("content-range"), part.headers.get("content-length")]).toEqual([
      206,
      `bytes 10-19/${SOUND.length}`,
      "10",
    ]);
    expect((await patient.get(path, { range: "bytes=-5" })).headers.get("content-range")).toBe(
      `bytes ${SOUND.length - 5}-${SOUND.length - 1}/${SOUND.length}`,
    );
    const stored = await server.sql`select storage_key, sealed from files where id = ${path.split("/").at(-1)!}`;
    expect(stored[0]!.sealed).toBe(true);
    const cookie = `nadi_session=${patient.token}`;
    const bytes = async (headers: Record<string, string>, method = "GET") =>
      raw(server.url, { method, path, headers: { cookie, ...headers } });
    expect((await bytes({})).body.equals(SOUND)).toBe(true);
    for (const [range, from, to] of [
      ["bytes=0-0", 0, 1],
      ["bytes=10-19", 10, 20],
      ["bytes=15-17", 15, 18],
      ["bytes=16-", 16, SOUND.length],
      ["bytes=-5", SOUND.length - 5, SOUND.length],
      [`bytes=${SOUND.length - 1}-999999`, SOUND.length - 1, SOUND.length],
    ] as const) {
      const answer = await bytes({ range });
      expect([answer.status, answer.headers["content-range"]]).toEqual([206, `bytes ${from}-${to - 1}/${SOUND.length}`]);
      expect(answer.body.equals(SOUND.subarray(from, to)), range).toBe(true);
    }
    const beyond = await bytes({ range: "bytes=999999-" });
    expect([beyond.status, beyond.headers["content-range"], beyond.body.length]).toEqual([416, `bytes */${SOUND.length}`, 0]);
    // Several ranges, an unknown unit, another version, HEAD: the whole file.
    const version = (await bytes({})).headers.etag!;
    const unranged: Record<string, string>[] = [
      { range: "bytes=0-1,5-6" },
      { range: "lines=1-2" },
      { range: "bytes=9-0" },
      { range: "bytes=0-9", "if-range": '"another"' },
      { range: "bytes=0-9", "if-range": "Wed, 21 Oct 2026 07:28:00 GMT" },
      { range: "bytes=0-9", "if-range": `W/${version}` },
    ];
    for (const headers of unranged) {
      const answer = await bytes(headers);
      expect([answer.status, answer.headers["content-range"], answer.body.equals(SOUND)], JSON.stringify(headers)).toEqual([
        200,
        undefined,
        true,
      ]);
    }
    expect((await bytes({ range: "bytes=0-9", "if-range": version })).status).toBe(206);
    const head = await bytes({ range: "bytes=0-9" }, "HEAD");
    expect([head.status, head.headers["content-length"]]).toEqual([200, String(SOUND.length)]);
    for (const stranger of [doctor, new Browser(server.url), await loginAs(server, { role: "patient", phone: "+918000900001" })])
      expect((await stranger.get(path)).status).toBe(404);
  });
  it.each<[string, Reply, string]>([
    ["nothing understood", sse(), "Sorry, I couldn't process that voice message."],
    ["a failure", { status: 400, body: "{}" }, "Sorry, I couldn't process that voice message. Please try again."],
  ])("%s", async (_, what, words) => {
    model.reply = () => what;
    const { lines } = await stream(patient, { voice: asFile(webm(), "v.webm") });
    const chat = readable((await patient.get(`${CHAT}?c=${lines[0].conversation}`)).text);
    expect(chat).toContain(words);
    expect(chat).toContain("You can also type your question.");
    model.reply = () => textReply("Back.");
    await ask(patient, "And now?");
  });
  it.each([
    ["WebM as Ogg", webm(), "audio/ogg", "audio/ogg"],
    ["MP4 as AAC", mp4(), "audio/aac", "audio/aac"],
    ["MP3", Buffer.concat([Buffer.from("ID3\x04"), Buffer.alloc(100)]), "audio/mpeg", "audio/mp3"],
    ["AIFF", Buffer.concat([Buffer.from("FORM\0\0\0\x24AIFFCOMM"), Buffer.alloc(100)]), "audio/aiff", "audio/aiff"],
    ["FLAC", Buffer.concat([Buffer.from("fLaC"), Buffer.alloc(100)]), "audio/flac", "audio/flac"],
  ])("sends %s to a model that accepts the types of its list only", async (_, sound, stored, sent) => {
    model.reply = () => gemini3([[{ text: "HEARD: namaskaram\nHello to you." }]])(stub.seen.at(-1)!);
    const { lines } = await stream(patient, { voice: asFile(sound, "voice-message") });
    const page = await patient.get(`${CHAT}?c=${lines[0].conversation}`);
    expect(readable(page.text)).toContain("We heard: namaskaram");
    expect(JSON.parse(String(stub.seen[0]?.body)).contents[0].parts[0].inlineData.mimeType).toBe(sent);
    expect((await patient.get(/src="(\/files\/[0-9a-f-]+)"/.exec(page.text)![1]!)).headers.get("content-type")).toBe(stored);
  });
  const TYPE_INSTEAD = "We cannot use this recording. Type your question, or add a recording as WAV, MP3, AAC, M4A, OGG, AIFF or FLAC.";
  it.each([
    ["what is not a recording", Buffer.from("<html>webm</html>")],
    ["a recording of an old phone", amr()],
    ["WebM with another codec", webm({ codec: "A_VORBIS" })],
    ["damaged MP4", mp4().subarray(0, 60)],
  ])("refuses %s and offers typing, by script and by a form, and sends nothing", async (_, sound) => {
    const { answer } = await stream(patient, { voice: asFile(sound, "v.webm") });
    expect(answer.status).toBe(415);
    expect(JSON.parse(answer.text).message).toBe(TYPE_INSTEAD);
    const form = new FormData();
    for (const [name, value] of Object.entries({ intent: "ask", key: newKey(), message: "", voice: asFile(sound, "v.webm") }))
      form.append(name, value);
    const refused = await patient.postFiles(CHAT, form);
    expect(refused.status).toBe(415);
    expect(readable(refused.text)).toContain(TYPE_INSTEAD);
    expect(stub.seen).toHaveLength(0);
  });
});

describe("files", () => {
  it("link to stored files: an image is encoded again, a document is only downloaded", async () => {
    const photo = await stream(patient, { file: asFile(await photoWithPlace(), "rash.png") });
    expect(photo.lines.at(-1)).toMatchObject({ type: "end" });
    const { conversation } = photo.lines[0];
    await stream(patient, { conversation, file: asFile(Buffer.concat([pdf(), Buffer.from("<script>alert(1)</script>")]), "report.exe") });
    const page = await patient.get(`${CHAT}?c=${conversation}`);
    expect(readable(page.text)).toContain("📎 File uploaded: rash.png");
    expect(readable(page.text)).toContain("📎 File uploaded: report.pdf");
    const [image, document] = [...page.text.matchAll(/href="(\/files\/[^"]+)"/g)].map((match) => match[1]!);
    const shown = await patient.get(image!);
    expect(shown.headers.get("content-type")).toBe("image/jpeg");
    for (const path of [document!, document!.replace("?download=1", "")]) {
      const file = await patient.get(path);
      expect(file.headers.get("content-type")).toBe("application/pdf");
      expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename=document.pdf; filename\*=UTF-8''report.pdf$/);
      expect(file.headers.get("x-content-type-options")).toBe("nosniff");
      expect(file.headers.get("content-security-policy")).toContain("sandbox");
      expect(file.text).toBe(pdf().subarray(0, -1).toString());
    }
    expect((await doctor.get(document!)).status).toBe(404);
    expect(stub.seen).toHaveLength(0);
  });
  it.each([
    ["a page", "<!doctype html><script>alert(1)</script>", "page.pdf"],
    ["a drawing", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "photo.png"],
    ["a program", "MZ\x90\0", "report.docx"],
  ])("refuse %s under another name", async (_, content, name) => {
    const { answer } = await stream(patient, { file: asFile(Buffer.from(content, "latin1"), name) });
    expect(answer.status).toBe(415);
    expect(JSON.parse(answer.text).message).toBe("This file type is not supported. Add a picture, PDF or Word file.");
  });
  it.each([
    ["a damaged PDF", Buffer.from("%PDF-1.7 <script>"), "This PDF is damaged or incomplete. Save it again, or add photos of its pages."],
    [
      "a PDF with scripts",
      pdf({ catalog: "/OpenAction << /S /JavaScript /JS (app.alert) >>" }),
      "This PDF has scripts or other files inside. Print it to a new PDF, or add photos of its pages.",
    ],
    [
      "a PDF with a password",
      pdf({ trailer: "/Encrypt 9 0 R" }),
      "This PDF has a password. Save a copy without the password, or add photos of its pages.",
    ],
  ])("refuse %s, as documents of a booking", async (_, bytes, sentence) => {
    const { answer } = await stream(patient, { file: asFile(bytes, "report.pdf") });
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([415, sentence]);
  });
  it("accept a Word document, which a worker thread recognizes", async () => {
    const word = zipSync({ "[Content_Types].xml": strToU8("<Types/>"), "word/document.xml": strToU8("<w:document/>") });
    const { lines } = await stream(patient, { file: asFile(word, "report.docx") });
    const page = await patient.get(`${CHAT}?c=${lines[0].conversation}`);
    expect(readable(page.text)).toContain("📎 File uploaded: report.docx");
  });
  it("refuse documents that claim more entries than they can contain, and answer other requests meanwhile", async () => {
    // Read entry by entry, four billion would take ten minutes.
    const hostile = [zip64Claiming(0xffff_ffff), zipClaiming(0xffff), zip64Claiming(20_000_000)];
    const sent = Promise.all(hostile.map((bytes) => stream(patient, { file: asFile(bytes, "report.docx") })));
    expect((await patient.get("/healthz")).status).toBe(200);
    expect((await sent).map(({ answer }) => answer.status)).toEqual([415, 415, 415]);
  });
  it("refuse files of another user", async () => {
    const other = await loginAs(server, { role: "patient", phone: "+918000900002" });
    await stream(other, { file: asFile(pdf(), "mine.pdf") });
    const [row] = await server.sql<{ id: string }[]>`select id from files where owner_id = ${other.userId}`;
    expect((await stream(patient, { file: row!.id })).answer.status).toBe(404);
    expect((await stream(patient, { file: "not-an-id" })).answer.status).toBe(400);
  });
});
