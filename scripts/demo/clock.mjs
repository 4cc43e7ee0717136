/** The clock of this process, which the server and its embedded database read: it can be put into the past and moved forwards, never backwards. What comes round again and again does so when it is told to. */
const RealDate = Date;
let ahead = 0;

const now = () => RealDate.now() + ahead;

class Shifted extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now() {
    return now();
  }
}

const rounds = new Set();

/** What `setInterval` answers with here. */
class Interval {
  constructor(work, milliseconds) {
    Object.assign(this, { work, milliseconds, due: now() + milliseconds });
    rounds.add(this);
  }

  unref() {
    return this;
  }
}

/** From here on every `Date` and every interval of this process is the clock's. */
export function install() {
  globalThis.Date = Shifted;
  globalThis.setInterval = (work, milliseconds) => new Interval(work, milliseconds);
  globalThis.clearInterval = (interval) => void rounds.delete(interval);
}

/** Lets whatever is due come round, once each. */
export function comeRound() {
  for (const round of rounds) {
    if (round.due > now()) continue;
    round.due = now() + round.milliseconds;
    round.work();
  }
}

export const realNow = () => RealDate.now();

/** It is this moment now, if it was earlier before. */
export function moveTo(moment) {
  ahead = Math.max(ahead, moment - RealDate.now());
}

/** Begins at a moment of the past. */
export function startAt(moment) {
  ahead = moment - RealDate.now();
}
