/** A software authenticator: creates passkeys and signs WebAuthn challenges, correctly or with one error. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** Encodes the CBOR types that WebAuthn needs. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();
const FLAG = { present: 1, verified: 4, attested: 64 };

export type Wrong = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Without user verification (fingerprint, face or PIN). */
  unverified?: boolean;
  userHandle?: string;
  counter?: number;
  /** Signs with another key. */
  forged?: boolean;
};

export class Authenticator {
  readonly credentialId = randomBytes(16).toString("base64url");
  counter = 0;
  userHandle = "";
  private readonly key: KeyObject;
  private readonly publicKey: Buffer;
  private readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = publicKey.export({ format: "jwk" });
    this.key = privateKey;
    // COSE: EC2, ES256, P-256, x, y.
    this.publicKey = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x ?? "", "base64url")],
        [-3, Buffer.from(y ?? "", "base64url")],
      ]),
    );
  }

  /** Returns what `navigator.credentials.create` returns for these options, as JSON. */
  create(options: { challenge: string; user: { id: string } }, wrong: Wrong = {}): string {
    this.userHandle = options.user.id;
    const id = Buffer.from(this.credentialId, "base64url");
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.publicKey]);
    const authData = this.authenticatorData(wrong, FLAG.attested, attested);
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]),
    );
    return this.answer({
      clientDataJSON: this.clientData("webauthn.create", options.challenge, wrong).toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** Returns what `navigator.credentials.get` returns for these options, as JSON. */
  get(options: { challenge: string }, wrong: Wrong = {}): string {
    this.counter = wrong.counter ?? this.counter + 1;
    const authData = this.authenticatorData(wrong, 0, Buffer.alloc(0));
    const clientData = this.clientData("webauthn.get", options.challenge, wrong);
    const key = wrong.forged ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey : this.key;
    return this.answer({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: sign("sha256", Buffer.concat([authData, sha256(clientData)]), key).toString("base64url"),
      userHandle: wrong.userHandle ?? this.userHandle,
    });
  }

  private answer(response: object): string {
    const id = this.credentialId;
    return JSON.stringify({ id, rawId: id, type: "public-key", clientExtensionResults: {}, response });
  }
  private clientData(type: string, challenge: string, wrong: Wrong): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge: wrong.challenge ?? challenge, origin: wrong.origin ?? this.origin, crossOrigin: false }),
    );
  }
  private authenticatorData(wrong: Wrong, extra: number, attested: Buffer): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = FLAG.present | (wrong.unverified ? 0 : FLAG.verified) | extra;
    return Buffer.concat([sha256(wrong.rpId ?? new URL(this.origin).hostname), Buffer.from([flags]), counter, attested]);
  }
}
