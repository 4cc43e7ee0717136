import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** Returns the processor time of the calling thread in milliseconds, where the operating system counts it (Linux). */
function threadMs(): number | undefined {
  try {
    const text = readFileSync('/proc/thread-self/schedstat', 'latin1');
    return Number(text.slice(0, text.indexOf(' '))) / 1e6;
  } catch {
    return undefined;
  }
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Starts a clock of the processor time of this thread. Time in which a busy machine runs something else does not count. */
export function startCpuClock(): () => number {
  const [thread, all, wall] = [threadMs(), processMs(), performance.now()];
  // Process time includes other threads, so the wall clock limits their share.
  return () => (thread === undefined ? Math.min(processMs() - all, performance.now() - wall) : (threadMs() ?? 0) - thread);
}

/** Measures the longest turn of the event loop while `work` runs, in milliseconds of processor time; a turn that began before the first tick counts. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let elapsed = startCpuClock();
  const measure = () => {
    longest = Math.max(longest, elapsed());
    elapsed = startCpuClock();
  };
  const ticks = setInterval(measure, 1);
  try {
    await work();
    // Includes the turn of the work that was scheduled last.
    await new Promise((done) => setTimeout(done, 5));
  } finally {
    clearInterval(ticks);
  }
  measure();
  return longest;
}

/** Returns the shortest of five measurements, or the first of at most 50 ms: a garbage collection makes one of them long, slow code all of them. */
export async function shortest(once: () => Promise<number> | number): Promise<number> {
  let shortestMs = await once();
  for (let again = 0; again < 4 && shortestMs > 50; again++) shortestMs = Math.min(shortestMs, await once());
  return shortestMs;
}
