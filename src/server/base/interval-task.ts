/** Repeats work at an interval: runs never overlap, and a failed run is reported and does not stop later ones. */
export class IntervalTask {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | undefined;

  constructor(
    seconds: number,
    private readonly work: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => this.run(), seconds * 1000).unref();
  }

  /** Waits for a running task. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private run(): void {
    this.running ??= this.work()
      .catch(this.onError)
      .finally(() => (this.running = undefined));
  }
}
