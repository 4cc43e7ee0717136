/** Work that is done again and again: never twice at a time, and a run that fails is told and keeps none from coming. */
export class Round {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | undefined;

  constructor(
    seconds: number,
    private readonly work: () => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => this.run(), seconds * 1000).unref();
  }

  /** Waits for a run under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private run(): void {
    this.running ??= this.work()
      .catch(this.failed)
      .finally(() => (this.running = undefined));
  }
}
