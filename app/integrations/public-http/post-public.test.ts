import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DnsAnswer, startDns } from "../../../tests/mocks/dns-server.ts";
import { type Receiver, startReceiver } from "../../../tests/setup/receiver.ts";
import { type LookupAll, publicPoster } from "./post-public.server.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = 204;
});

const to = (path = "/") => receiver.origin + path;
const post = (url: string, over: Parameters<typeof publicPoster>[0] = {}) =>
  publicPoster({ testOrigin: receiver.origin, ...over })(url, { "content-type": "application/json", "x-a": "b" }, '{"నాడి":1}');

describe("publicPoster", () => {
  it("posts the body with its headers", async () => {
    expect(await post(to("/hook?a=b"))).toEqual({ status: 204 });
    expect(receiver.received).toMatchObject([
      { path: "/hook?a=b", body: '{"నాడి":1}', headers: { "content-type": "application/json", "x-a": "b" } },
    ]);
  });
  it("returns a redirect and does not follow it", async () => {
    receiver.answer = (response) => response.writeHead(307, { location: to("/other") }).end();
    expect(await post(to())).toEqual({ status: 307 });
    expect(receiver.received).toHaveLength(1);
  });
  it("reads no body, however long it is", async () => {
    let closed: () => void;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    receiver.answer = (response) => {
      response.writeHead(200);
      response.on("close", () => closed());
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    };
    expect(await post(to())).toEqual({ status: 200 });
    await gone;
  });
  it("ends the exchange at its deadline, also when the receiver sends its headers slowly", async () => {
    const slow: Server = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("HTTP/1.1 200 OK\r\n");
    });
    await new Promise<void>((listening) => slow.listen(0, "127.0.0.1", listening));
    const address = slow.address() as { port: number };
    const origin = `http://127.0.0.1:${address.port}`;
    expect(await post(`${origin}/`, { testOrigin: origin, limit: 50 })).toEqual({ failure: "timeout" });
    slow.close();
  });
  it("returns a failure when nothing listens, and for a broken answer", async () => {
    const other = await startReceiver();
    await other.close();
    expect(await post(`${other.origin}/`, { testOrigin: other.origin })).toEqual({ failure: "connection" });
    receiver.answer = (response) => response.socket!.end("not http");
    expect(await post(to())).toEqual({ failure: "connection" });
  });
});

describe("addresses of names", () => {
  const answers = (...lists: string[][]): LookupAll & { asked: number } => {
    const lookup = ((_, done) => {
      const list = lists[Math.min(lookup.asked++, lists.length - 1)]!;
      done(
        null,
        list.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    }) as LookupAll & { asked: number };
    lookup.asked = 0;
    return lookup;
  };
  it.each([[["127.0.0.1"]], [["10.0.0.1"]], [["::1"]], [["::ffff:127.0.0.1"]], [["8.8.8.8", "127.0.0.1"]], [[]]])(
    "refuses %j",
    async (list) => {
      const resolve = answers(list);
      expect(await post("https://hooks.example.com/", { resolve })).toEqual({ failure: "address" });
      expect(resolve.asked).toBe(1);
    },
  );
  it("asks for the name once in a connection, so no second answer can replace the checked one", async () => {
    const resolve = answers(["127.0.0.1"], ["8.8.8.8"], ["127.0.0.1"]);
    expect(await post("https://hooks.example.com/", { resolve })).toEqual({ failure: "address" });
    expect(resolve.asked).toBe(1);
    expect(receiver.received).toEqual([]);
  });
  it("returns a failure for a name that does not exist", async () => {
    const resolve: LookupAll = (_, done) => done(Object.assign(new Error("no"), { code: "ENOTFOUND" }), []);
    expect(await post("https://hooks.example.com/", { resolve })).toEqual({ failure: "dns" });
  });
  it.each(["http://hooks.example.com/", "https://127.0.0.1/", "https://[::1]/", "https://0x7f.1/"])(
    "does not connect to %s",
    async (url) => {
      expect(await post(url)).toEqual({ failure: "address" });
      expect(receiver.received).toEqual([]);
    },
  );
});

/** The names are asked from a DNS server on loopback, over UDP, as a name server of an attacker answers. */
describe("a name whose DNS server is the attacker's", () => {
  const ask = async (answers: DnsAnswer[], times = 1) => {
    const dns = await startDns(answers);
    try {
      const results = [];
      for (let n = 0; n < times; n++)
        results.push(await publicPoster({ resolve: dns.resolve, limit: 400 })("https://rebind.example.com/", {}, "{}"));
      return { results, asked: dns.asked };
    } finally {
      await dns.close();
    }
  };
  it("cannot replace a public address by a private one between the check and the connection", async () => {
    // The first answer is public and leads nowhere; a second question in the same exchange would be answered with loopback.
    const { results, asked } = await ask([["198.51.100.7"], ["127.0.0.1"]]);
    expect(results).toEqual([{ failure: "address" }]);
    const open = await ask([["8.8.4.4"], ["127.0.0.1"], ["127.0.0.1"]], 3);
    expect([asked.length, open.asked.length]).toEqual([1, 3]);
    // The first exchange goes to the public address, or nowhere; the next ones are refused by their new answer.
    expect(["timeout", "connection", "tls"]).toContain((open.results[0] as { failure: string }).failure);
    expect(open.results.slice(1)).toEqual([{ failure: "address" }, { failure: "address" }]);
    expect(receiver.received).toEqual([]);
  });
  it("cannot hide a private address among public ones", async () => {
    for (const answer of [["8.8.8.8", "127.0.0.1"], ["8.8.8.8", "169.254.169.254"], ["0.0.0.0"], ["100.64.0.1"]])
      expect((await ask([answer])).results, answer.join()).toEqual([{ failure: "address" }]);
    expect(receiver.received).toEqual([]);
  });
  it("cannot hold a delivery longer than its deadline, nor break it", async () => {
    const began = Date.now();
    const [silent] = (await ask(["silence"])).results;
    expect([{ failure: "timeout" }, { failure: "dns" }]).toContainEqual(silent);
    expect(Date.now() - began).toBeLessThan(5_000);
    for (const error of [2, 3, 5])
      expect(["dns", "connection"]).toContain(((await ask([{ error }])).results[0] as { failure: string }).failure);
    expect((await ask([[]])).results[0]).toMatchObject({ failure: expect.stringMatching(/address|dns/) });
  });
  it("cannot send a delivery elsewhere by a redirect to a name of ours", async () => {
    for (const location of ["http://169.254.169.254/latest/meta-data/", to("/internal"), "//127.0.0.1/", "file:///etc/passwd"]) {
      receiver.received.length = 0;
      receiver.answer = (response) => response.writeHead(302, { location }).end();
      expect(await post(to("/hook"))).toEqual({ status: 302 });
      expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
    }
  });
});
