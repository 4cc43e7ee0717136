/** Work that did not finish in its time. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

/** What the work gives, or a `TimeLimitExceeded` once its time is over; what it gives later is ignored. */
export function withTimeLimit<Given>(milliseconds: number, work: () => Given | PromiseLike<Given>): Promise<Given> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeLimitExceeded(`not finished within ${milliseconds} ms`)), milliseconds);
    new Promise<Given>((done) => done(work())).then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
