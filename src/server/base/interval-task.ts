/** Repeats work at an interval: runs never overlap, and a failed run is reported and does not stop later ones. */
export class IntervalTask {
  private readonly timer: NodeJS.Timeout;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    seconds: number,
    private readonly work: (signal: AbortSignal) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => this.run(), seconds * 1000).unref();
  }

  /** Aborts the signal of a running task and waits for its end. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  private run(): void {
    this.running ??= this.work(this.stopping.signal)
      .catch(this.onError)
      .finally(() => (this.running = undefined));
  }
}
