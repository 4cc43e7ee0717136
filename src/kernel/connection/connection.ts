import { BehaviorSubject, distinctUntilChanged } from 'rxjs';

/** How the way to the server is: `offline` as the browser says, `lost` when requests get no answer, `slow` while one takes longer than it should. */
export type ConnectionState = 'good' | 'slow' | 'lost' | 'offline';

/** Milliseconds after which a request is slow, and between two looks whether a lost server is back. */
const slowAfter = 4000;
const lookEvery = 5000;

/** The state of the way to the server, learnt from the requests that take it. While it is lost the server is asked every five seconds whether it is back. */
export class Connection {
  private readonly subject = new BehaviorSubject<ConnectionState>(navigator.onLine === false ? 'offline' : 'good');
  readonly state$ = this.subject.pipe(distinctUntilChanged());
  private slow = 0;
  private isLost = false;
  private readonly waiting = new Set<ReturnType<typeof setTimeout>>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly onBrowser = () => this.tell();

  /** `isBack` asks the server for a sign of life. */
  constructor(private readonly isBack: () => Promise<boolean>) {
    window.addEventListener('online', this.onBrowser);
    window.addEventListener('offline', this.onBrowser);
  }

  get state(): ConnectionState {
    return this.subject.value;
  }

  /** A request has left; the answer is called with whether the server answered it, and with nothing when nobody waited for it any more. */
  begun(): (isAnswered?: boolean) => void {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.slow += 1;
      this.tell();
    }, slowAfter);
    this.waiting.add(timer);
    return (isAnswered) => {
      clearTimeout(timer);
      this.waiting.delete(timer);
      if (isSlow) this.slow -= 1;
      if (isAnswered !== undefined) this.isLost = !isAnswered;
      this.tell();
    };
  }

  dispose(): void {
    clearInterval(this.timer);
    for (const timer of this.waiting) clearTimeout(timer);
    window.removeEventListener('online', this.onBrowser);
    window.removeEventListener('offline', this.onBrowser);
    this.subject.complete();
  }

  /** Asks now instead of at the next look. */
  async look(): Promise<void> {
    if (await this.isBack().catch(() => false)) this.isLost = false;
    this.tell();
  }

  private tell(): void {
    const isOffline = navigator.onLine === false;
    if (this.isLost && !isOffline) this.timer ??= setInterval(() => void this.look(), lookEvery);
    else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    this.subject.next(isOffline ? 'offline' : this.isLost ? 'lost' : this.slow > 0 ? 'slow' : 'good');
  }
}
