/** Prints a new key pair for web push (VAPID), as lines of an environment: `node scripts/vapid-keys.ts`. */
import { newVapidPair } from "../app/lib/vapid.server.ts";

const { publicKey, privateKey } = newVapidPair();
console.log(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}`);
