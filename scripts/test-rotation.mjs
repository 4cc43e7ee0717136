/** Rotates through a list, so that each item has its turn and no single day costs much. */

/** Returns the turn of a day; all runs of a day share it. */
export const turnOfDay = (now = Date.now()) => Math.floor(now / 86_400_000);

/** Returns a tenth of the files, a different one for each of ten consecutive turns: after ten turns each file had its turn once. */
export const tenthOf = (files, turn) => [...files].sort().filter((_, place) => place % 10 === turn % 10);

/** Returns the shard, `index/count`, of one of `count` runs: together the runs of a turn cover everything, and each run has every shard once in `count` turns. */
export const shardOfTurn = (index, count, turn) => `${((index + turn) % count) + 1}/${count}`;
