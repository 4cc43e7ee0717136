import { BehaviorSubject, distinctUntilChanged } from 'rxjs';

/** `offline` is reported by the browser, `lost` means that requests get no answer, `slow` that one takes longer than `slowAfterMs`. */
export type ConnectionState = 'good' | 'slow' | 'lost' | 'offline';

/** Milliseconds after which a request counts as slow, and between two probes of a lost server. */
const slowAfterMs = 4000;
const probeIntervalMs = 5000;

/** State of the connection to the server, derived from its requests. While the connection is lost, the server is probed every five seconds. */
export class Connection {
  private readonly subject = new BehaviorSubject<ConnectionState>(navigator.onLine === false ? 'offline' : 'good');
  readonly state$ = this.subject.pipe(distinctUntilChanged());
  private slowCount = 0;
  private isLost = false;
  private isDisposed = false;
  private readonly slowTimers = new Set<ReturnType<typeof setTimeout>>();
  private probeTimer: ReturnType<typeof setInterval> | undefined;
  private readonly onNetworkChange = () => this.notify();

  /** `probe` resolves true when the server answers. */
  constructor(private readonly probe: () => Promise<boolean>) {
    window.addEventListener('online', this.onNetworkChange);
    window.addEventListener('offline', this.onNetworkChange);
  }

  get state(): ConnectionState {
    return this.subject.value;
  }

  /** Tracks a request. Call the returned function at its end with whether the server answered, or without a value if it was cancelled. */
  trackRequest(): (isAnswered?: boolean) => void {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.slowCount += 1;
      this.notify();
    }, slowAfterMs);
    this.slowTimers.add(timer);
    return (isAnswered) => {
      clearTimeout(timer);
      this.slowTimers.delete(timer);
      if (isSlow) this.slowCount -= 1;
      if (isAnswered !== undefined) this.isLost = !isAnswered;
      this.notify();
    };
  }

  dispose(): void {
    this.isDisposed = true;
    clearInterval(this.probeTimer);
    for (const timer of this.slowTimers) clearTimeout(timer);
    window.removeEventListener('online', this.onNetworkChange);
    window.removeEventListener('offline', this.onNetworkChange);
    this.subject.complete();
  }

  /** Probes now instead of at the next interval. */
  async check(): Promise<void> {
    if (await this.probe().catch(() => false)) this.isLost = false;
    this.notify();
  }

  private notify(): void {
    if (this.isDisposed) return;
    const isOffline = navigator.onLine === false;
    if (this.isLost && !isOffline) this.probeTimer ??= setInterval(() => void this.check(), probeIntervalMs);
    else {
      clearInterval(this.probeTimer);
      this.probeTimer = undefined;
    }
    this.subject.next(isOffline ? 'offline' : this.isLost ? 'lost' : this.slowCount > 0 ? 'slow' : 'good');
  }
}
