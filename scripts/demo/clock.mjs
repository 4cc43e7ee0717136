/** Simulated clock of this process, for the server and its embedded database. It starts in the past and only moves forward; intervals fire only on request. */
const RealDate = Date;
let offsetMs = 0;

const now = () => RealDate.now() + offsetMs;

class SimulatedDate extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now() {
    return now();
  }
}

const intervals = new Set();

/** Return value of the replaced `setInterval`. */
class Interval {
  constructor(work, milliseconds) {
    Object.assign(this, { work, milliseconds, due: now() + milliseconds });
    intervals.add(this);
  }

  unref() {
    return this;
  }
}

/** Replaces `Date` and `setInterval` in this process. */
export function install() {
  globalThis.Date = SimulatedDate;
  globalThis.setInterval = (work, milliseconds) => new Interval(work, milliseconds);
  globalThis.clearInterval = (interval) => void intervals.delete(interval);
}

/** Fires all due intervals, once each. */
export function runDueIntervals() {
  for (const interval of intervals) {
    if (interval.due > now()) continue;
    interval.due = now() + interval.milliseconds;
    interval.work();
  }
}

export const realNow = () => RealDate.now();

/** Moves the clock to this time, unless it is already later. */
export function moveTo(moment) {
  offsetMs = Math.max(offsetMs, moment - RealDate.now());
}

/** Sets the clock to a time in the past. */
export function startAt(moment) {
  offsetMs = moment - RealDate.now();
}
