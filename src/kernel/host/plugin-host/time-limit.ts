/** Thrown for work that did not finish in its time. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

/** Resolves as the work does, or rejects with `TimeLimitExceeded`; later results are ignored. Aborting the signal ends the wait. */
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

/** Resolves when all works are done, or `milliseconds` after the first one resolved with `true`. */
export async function allSettledWithin(works: readonly Promise<boolean>[], milliseconds: number, signal: AbortSignal): Promise<void> {
  const all = Promise.all(works);
  const first = new Promise<void>((resolve) => {
    for (const work of works) void work.then((isSomething) => isSomething && resolve());
  });
  await Promise.race([first, all]);
  await withTimeLimit(milliseconds, () => all, signal).catch(() => undefined);
}
