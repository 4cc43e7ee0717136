/** Prints the steps of a command, one line when a step begins and one when it has ended. Node built-ins alone, so it runs on a fresh clone. */

/** Runs `work` as the next of `count` steps and prints how long it took; a single step has no number. */
export function stepPrinter(count = 1) {
  let position = 0;
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

/** `0.9 s`, `21 s`, `3 min 5 s`. */
export function durationText(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
