/** Simulated clock of this process, for the server and its embedded database. It starts in the past and only moves forward; intervals fire only on request. */
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

/** Return value of the replaced `setInterval`. */
class Interval {
  constructor(work, milliseconds) {
    Object.assign(this, { work, milliseconds, due: now() + milliseconds });
    rounds.add(this);
  }

  unref() {
    return this;
  }
}

/** Replaces `Date` and `setInterval` in this process. */
export function install() {
  globalThis.Date = Shifted;
  globalThis.setInterval = (work, milliseconds) => new Interval(work, milliseconds);
  globalThis.clearInterval = (interval) => void rounds.delete(interval);
}

/** Fires all due intervals, once each. */
export function comeRound() {
  for (const round of rounds) {
    if (round.due > now()) continue;
    round.due = now() + round.milliseconds;
    round.work();
  }
}

export const realNow = () => RealDate.now();

/** Moves the clock to this time, unless it is already later. */
export function moveTo(moment) {
  ahead = Math.max(ahead, moment - RealDate.now());
}

/** Sets the clock to a time in the past. */
export function startAt(moment) {
  ahead = moment - RealDate.now();
}
