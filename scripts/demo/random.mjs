/** Creates a random number generator that returns the same sequence for the same seed. */
export function randomFrom(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    /** Returns an integer between two limits, both included. */
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    /** Picks an item of a list in proportion to its `weight`. */
    pickWeighted(list) {
      let at = next() * list.reduce((sum, { weight }) => sum + weight, 0);
      for (const item of list) {
        at -= item.weight;
        if (at < 0) return item;
      }
      return list.at(-1);
    },
    chance: (probability) => next() < probability,
  };
}
