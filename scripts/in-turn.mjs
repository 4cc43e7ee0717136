/** Chooses by turns, so that all are chosen in the end and none of it costs much on one day. */

/** The turn of a day; every run of that day has the same. */
export const turnOfDay = (now = Date.now()) => Math.floor(now / 86_400_000);

/** A tenth of the files, another with each of ten turns that follow one another: in ten turns each file is chosen once. */
export const tenthOf = (files, turn) => [...files].sort().filter((_, place) => place % 10 === turn % 10);
