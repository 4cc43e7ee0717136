/** Runs one piece of work at a time in the order of arrival; the next begins when the previous one has ended, even if that failed. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
