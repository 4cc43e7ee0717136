/** Prints the steps of a command, one line at the start and one at the end of each. It uses Node built-ins only, so it runs on a fresh clone. */

/**
 * Returns a function that runs `work` as the next of `count` steps and prints its duration. A single step has no number; `previous` counts steps that have run
 * before.
 */
export function stepPrinter(count = 1, previous = 0) {
  let position = previous;
  return (doing, done, work) => {
    position += 1;
    const number = count > 1 ? `[${position}/${count}] ` : '';
    const began = performance.now();
    const finish = (result) => {
      console.log(`${number}${done} in ${durationText(performance.now() - began)}`);
      return result;
    };
    console.log(`${number}${doing} …`);
    const result = work();
    return result instanceof Promise ? result.then(finish) : finish(result);
  };
}

/** Prints a message and ends the process with code 1. */
export function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

/** Formats a duration: `0.9 s`, `21 s`, `3 min 5 s`. */
export function durationText(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
