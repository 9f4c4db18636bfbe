// The table's socket: frames in, commands out. Keeps the newest view, never computes one.
//
// A frame's version decides what happens to it: not above ours → old; exactly one above → taken;
// more → something is missing, so the whole state is asked for (`resume`). Events that come before
// the first snapshot are kept and looked at after it.

const QUIET = 25_000; // nothing heard for so long: ask; for QUIET more: connect anew
const LONGEST_WAIT = 8_000;
const KEPT = 50; // sayings
/** Closes after which it makes no sense to come again: no such table, and nobody knows us any more. */
const ENDED = { 4404: "gone", 4401: "logged-out", 4403: "banned" };

export class TableSocket {
  /** `changed(state, what)` is called after each change; what: {kind, …} or null. */
  constructor(path, changed) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.changed = changed;
    this.state = { link: "new", view: null, version: -1, clock: null, presence: [], pending: null, said: [] };
    this.early = [];
    this.tries = 0;
    this.heard = Date.now();
    document.addEventListener("visibilitychange", () => this.wake());
    window.addEventListener("online", () => this.wake());
    window.addEventListener("pageshow", () => this.wake());
    setInterval(() => this.watch(), 5_000);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    this.timer = null;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => this.opened(socket);
    socket.onmessage = ({ data }) => socket === this.socket && this.receive(JSON.parse(data));
    socket.onclose = ({ code }) => socket === this.socket && this.closed(code);
  }

  opened(socket) {
    if (socket !== this.socket) return;
    this.heard = Date.now();
    this.fresh = false; // until the snapshot of this connection
    this.early = [];
  }

  closed(code) {
    if (code in ENDED) return this.update({ link: ENDED[code], pending: null });
    this.update({ link: this.state.link === "new" ? "new" : "lost" });
    const longest = Math.min(LONGEST_WAIT, 400 * 2 ** this.tries);
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), longest * (0.5 + Math.random() / 2));
  }

  /** Back in sight or online: do not wait for the timer. */
  wake() {
    if (document.visibilityState === "visible" && this.timer) {
      this.tries = 0;
      this.connect();
    }
  }

  watch() {
    const quiet = Date.now() - this.heard;
    if (this.socket.readyState !== WebSocket.OPEN || quiet < QUIET) return;
    if (quiet < 2 * QUIET) this.resume();
    else this.drop(1006);
  }

  /** Give up a connection; its own close may come late or never, so `code` stands for it. */
  drop(code) {
    const dead = this.socket;
    this.socket = { readyState: WebSocket.CLOSED };
    dead.close();
    this.closed(code);
  }

  receive(frame) {
    this.heard = Date.now();
    if ("snapshot" in frame) this.takeSnapshot(frame);
    else if ("event" in frame) this.takeEvent(frame);
    else if ("presence" in frame) this.update({ presence: frame.presence });
    else if ("say" in frame) this.hear(frame.say);
    else if ("beat" in frame) this.compare(frame);
    else if ("ack" in frame) this.answered(frame);
    else if ("error" in frame) this.refused(frame);
  }

  takeSnapshot(frame) {
    if (lostSeat(this.state.view, frame.snapshot)) return this.drop(4401);
    const joined = !this.fresh; // the first of this connection, and not one that was asked for
    this.fresh = true;
    this.tries = 0; // only now: a server that takes connections may still be unable to answer
    const kept = this.early.filter(({ v }) => v > frame.v);
    this.early = [];
    const said = frame.said ?? this.state.said;
    this.update({ ...shown(frame, frame.snapshot), link: "open", pending: null, said }, { kind: "snapshot", joined });
    kept.forEach((event) => this.takeEvent(event));
  }

  takeEvent(frame) {
    if (!this.fresh) return void this.early.push(frame);
    if (frame.v <= this.state.version) return;
    if (frame.v > this.state.version + 1 || !frame.view) return this.resume();
    this.update(shown(frame, frame.view), { kind: "event", ...frame.event });
    this.settle();
  }

  hear(one) {
    if (this.state.said.some(({ id }) => id === one.id)) return;
    this.update({ said: [...this.state.said, one].slice(-KEPT) }, { kind: "said", ...one });
  }

  answered({ ack, v }) {
    if (this.state.pending?.id !== ack) return;
    this.state.pending.until = v; // shown as done when the view has got there
    this.settle();
  }

  settle() {
    const { pending, version } = this.state;
    if (pending && pending.until !== undefined && version >= pending.until) {
      this.update({ pending: null });
    }
  }

  refused(frame) {
    if (frame.id && frame.id === this.saying) return this.update({}, { kind: "refused", text: frame.text });
    if (frame.id && this.state.pending?.id !== frame.id) return;
    const stale = frame.error === "stale";
    this.update({ pending: null }, stale ? null : { kind: "refused", text: frame.text });
    if (stale) this.resume();
  }

  async compare({ beat, hash }) {
    const { version, view } = this.state;
    if (!this.fresh || beat < version) return;
    if (beat > version || (await differs(view, hash))) {
      if (version === this.state.version) this.resume();
    }
  }

  resume() {
    this.post({ id: newId(), do: "resume" });
  }

  /** Send a command once; nothing else is sent until it is answered. */
  command(order) {
    if (this.state.pending || this.state.link !== "open") return;
    const id = newId();
    if (this.post({ id, v: this.state.version, ...order })) this.update({ pending: { id, order } });
  }

  /** Say something: moves need not wait for it. Tells whether it went out. */
  say(words) {
    this.saying = newId();
    return this.post({ id: this.saying, do: "say", ...words });
  }

  post(frame) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  update(change, what = null) {
    this.state = { ...this.state, ...change };
    this.changed(this.state, what);
  }
}

/** Who still holds a seat, and sees the table from outside after a reconnect, was logged out
 *  meanwhile. A seat that somebody else holds now is lost in another way. */
function lostSeat(before, now) {
  if (before === null || before.table.you === null || now.table.you !== null) return false;
  const id = before.table.seats[before.table.you].player?.id;
  return now.table.seats.some(({ player }) => player !== null && player.id === id);
}

function shown(frame, view) {
  return { view, version: frame.v, clock: localClock(frame.clock) };
}

/** The deadline by this device's own clock, in epoch milliseconds, or null. */
function localClock(clock) {
  if (!clock || clock.deadline === null) return null;
  return clock.deadline - clock.now + Date.now();
}

/** True if the view's SHA-256 is another; false too where the browser cannot tell (plain http). */
async function differs(view, hash) {
  if (!hash || !globalThis.crypto?.subtle) return false;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonical(view)));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return hex.join("") !== hash;
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const pairs = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${pairs.join(",")}}`;
}

/** A random UUID; `crypto.randomUUID` is missing on plain http from another host. */
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
