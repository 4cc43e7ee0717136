/** The clock of this process, which the server and its embedded database read: it can be put into the past and moved forwards, never backwards. */
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

/** From here on every `Date` of this process is the clock's. */
export function install() {
  globalThis.Date = Shifted;
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
