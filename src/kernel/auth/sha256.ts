const rounds = 64;
const constants = new Uint32Array(rounds);
const start = new Uint32Array(8);

/** The bits after the point of a root, as FIPS 180-4 takes them from the first primes. */
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) >>> 0;

for (let candidate = 2, found = 0; found < rounds; candidate++) {
  let isPrime = true;
  for (let divisor = 2; divisor * divisor <= candidate && isPrime; divisor++) isPrime = candidate % divisor !== 0;
  if (!isPrime) continue;
  if (found < 8) start[found] = fraction(Math.sqrt(candidate));
  constants[found++] = fraction(Math.cbrt(candidate));
}

const turned = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));
const schedule = new Uint32Array(rounds);
const at = (words: Uint32Array, index: number) => words[index] as number;

/** SHA-256 in hex. Browsers have it on secure origins only, and one digest at a time through a promise. */
export function sha256(message: Uint8Array): string {
  const blocks = Math.ceil((message.length + 9) / 64);
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  new Uint8Array(padded.buffer).set(message);
  padded.setUint8(message.length, 0x80);
  padded.setUint32(blocks * 64 - 8, Math.floor(message.length / 2 ** 29));
  padded.setUint32(blocks * 64 - 4, message.length << 3);
  const state = start.slice();
  for (let block = 0; block < blocks; block++) mix(state, padded, block * 64);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function mix(state: Uint32Array, bytes: DataView, offset: number): void {
  for (let index = 0; index < 16; index++) schedule[index] = bytes.getUint32(offset + index * 4);
  for (let index = 16; index < rounds; index++) {
    const early = at(schedule, index - 15);
    const late = at(schedule, index - 2);
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    schedule[index] = at(schedule, index - 16) + low + at(schedule, index - 7) + high;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < rounds; index++) {
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + at(constants, index) + at(schedule, index)) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = at(state, index) + word;
}
