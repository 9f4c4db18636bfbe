// Two short sounds, made here and not loaded: a tile laid on the table, and a soft call to the reader
// whose turn it is. Each device has its own setting; phones are silent until asked to sound.

const KEY = "ayaz-sound";
const LOUD = 0.18;
let context = null;
let noise = null;

/** Whether this device shall sound. */
export function readSound() {
  const kept = stored();
  return kept === null ? !matchMedia("(pointer: coarse)").matches : kept === "on";
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is off: the setting lasts as long as the page
  }
}

export function keepSound(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // see above
  }
}

/** A tile is laid: a knock of 50 ms. */
export function knock() {
  const audio = ready();
  if (!audio) return;
  const source = audio.createBufferSource();
  source.buffer = noise ??= noiseOf(audio);
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 1700, Q: 1.1 });
  source.connect(filter).connect(fading(audio, audio.currentTime, 2.2 * LOUD, 0.05));
  source.start();
}

/** It is the reader's turn: two soft notes. */
export function call() {
  const audio = ready();
  if (!audio) return;
  [[523, 0], [659, 0.11]].forEach(([frequency, after]) => {
    const note = new OscillatorNode(audio, { type: "sine", frequency });
    const start = audio.currentTime + 0.06 + after;
    note.connect(fading(audio, start, LOUD, 0.28));
    note.start(start);
    note.stop(start + 0.3);
  });
}

/** The context, once somebody has touched the page: before, no browser lets it sound. */
function ready() {
  if (!globalThis.AudioContext || !(navigator.userActivation?.hasBeenActive ?? true)) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

function fading(audio, start, loud, time) {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + time);
  gain.connect(audio.destination);
  return gain;
}

function noiseOf(audio) {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * 0.06), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = 2 * Math.random() - 1;
  return buffer;
}
