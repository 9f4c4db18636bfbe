// The provable shuffle (rules.md, Shuffle), computed anew by whoever doubts it: from a published
// secret and the seats' contributions to deals and lots. Knows no page and no record; WebCrypto
// alone, which browsers keep for https and localhost.

const SPAN = 2 ** 32;
const encoder = new TextEncoder();

/** The 28 tiles in the order in which they lie before they are mixed: 0-0, 1-0, 1-1, … 6-6. */
const TILES = Array.from({ length: 7 }, (_, high) =>
  Array.from({ length: high + 1 }, (_, low) => `${high}-${low}`),
).flat();

/** True where this browser can compute at all. */
export function canCompute() {
  return Boolean(globalThis.crypto?.subtle);
}

/** The SHA-256 of a secret, both in hex. */
export async function commitmentOf(secret) {
  return toHex(await crypto.subtle.digest("SHA-256", fromHex(secret)));
}

/** A match's shuffle: `secret` in hex, `contributions` one text a seat. */
export class Shuffle {
  constructor(secret, contributions) {
    this.contributions = contributions.join(",");
    this.key = crypto.subtle.importKey("raw", fromHex(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  }

  /** All 28 tiles in the order of a hand's deal, both numbers from 0. */
  async order(hand, attempt) {
    return this.mixed(`deal:${hand}:${attempt}`);
  }

  /** The seat that the lot makes the starter of a hand (from 0). */
  async starter(hand, seats) {
    return this.lot(`starter:${hand}`, seats);
  }

  async mixed(purpose) {
    const numbers = this.numbers(purpose);
    const order = [...TILES];
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = await below(numbers, i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }

  async lot(purpose, seats) {
    return below(this.numbers(purpose), seats);
  }

  /** The endless 32-bit numbers of a purpose. */
  async *numbers(purpose) {
    for (let block = 0; ; block += 1) {
      const code = new DataView(await this.block(purpose, block));
      for (let at = 0; at < code.byteLength; at += 4) yield code.getUint32(at); // big-endian
    }
  }

  async block(purpose, block) {
    const message = encoder.encode(`ayaz/1|${purpose}|${this.contributions}|${block}`);
    return crypto.subtle.sign("HMAC", await this.key, message);
  }
}

/** A number from 0 to n - 1; the incomplete last span is left out, so that all are as likely. */
async function below(numbers, n) {
  const limit = SPAN - (SPAN % n);
  let { value } = await numbers.next();
  while (value >= limit) ({ value } = await numbers.next());
  return value % n;
}

function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function toHex(bytes) {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
