import { BehaviorSubject, distinctUntilChanged } from 'rxjs';

/** `offline` is reported by the browser, `lost` means requests get no answer, `slow` means one takes longer than `slowAfter`. */
export type ConnectionState = 'good' | 'slow' | 'lost' | 'offline';

/** Milliseconds after which a request counts as slow, and between two probes of a lost server. */
const slowAfter = 4000;
const lookEvery = 5000;

/** State of the connection to the server, derived from its requests. While the connection is lost, the server is probed every five seconds. */
export class Connection {
  private readonly subject = new BehaviorSubject<ConnectionState>(navigator.onLine === false ? 'offline' : 'good');
  readonly state$ = this.subject.pipe(distinctUntilChanged());
  private slow = 0;
  private isLost = false;
  private readonly waiting = new Set<ReturnType<typeof setTimeout>>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly onBrowser = () => this.notify();

  /** `isBack` probes the server. */
  constructor(private readonly isBack: () => Promise<boolean>) {
    window.addEventListener('online', this.onBrowser);
    window.addEventListener('offline', this.onBrowser);
  }

  get state(): ConnectionState {
    return this.subject.value;
  }

  /** Registers a request. The returned function ends it: it takes whether the server answered, or nothing when the request was cancelled. */
  begun(): (isAnswered?: boolean) => void {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.slow += 1;
      this.notify();
    }, slowAfter);
    this.waiting.add(timer);
    return (isAnswered) => {
      clearTimeout(timer);
      this.waiting.delete(timer);
      if (isSlow) this.slow -= 1;
      if (isAnswered !== undefined) this.isLost = !isAnswered;
      this.notify();
    };
  }

  dispose(): void {
    clearInterval(this.timer);
    for (const timer of this.waiting) clearTimeout(timer);
    window.removeEventListener('online', this.onBrowser);
    window.removeEventListener('offline', this.onBrowser);
    this.subject.complete();
  }

  /** Probes now instead of at the next interval. */
  async check(): Promise<void> {
    if (await this.isBack().catch(() => false)) this.isLost = false;
    this.notify();
  }

  private notify(): void {
    const isOffline = navigator.onLine === false;
    if (this.isLost && !isOffline) this.timer ??= setInterval(() => void this.check(), lookEvery);
    else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    this.subject.next(isOffline ? 'offline' : this.isLost ? 'lost' : this.slow > 0 ? 'slow' : 'good');
  }
}
