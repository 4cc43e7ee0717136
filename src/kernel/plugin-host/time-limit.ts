/** Work that did not finish in its time. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

/** What the work gives, or a `TimeLimitExceeded` once its time is over; what it gives later is ignored. Nobody waits any more once the signal is aborted. */
export function withTimeLimit<Given>(milliseconds: number, work: () => Given | PromiseLike<Given>, signal?: AbortSignal): Promise<Given> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeLimitExceeded(`not finished within ${milliseconds} ms`)), milliseconds);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    const leave = () => {
      settle();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave);
    new Promise<Given>((done) => done(work())).then(resolve, reject).finally(settle);
  });
}

/** Resolves when all are done, but waits only so long for the last: from when the first has come to something, which it says by `true`. */
export async function mostOf(works: readonly Promise<boolean>[], milliseconds: number, signal: AbortSignal): Promise<void> {
  const all = Promise.all(works);
  const first = new Promise<void>((resolve) => {
    for (const work of works) void work.then((isSomething) => isSomething && resolve());
  });
  await Promise.race([first, all]);
  await withTimeLimit(milliseconds, () => all, signal).catch(() => undefined);
}
