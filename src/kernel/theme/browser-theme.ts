import { BehaviorSubject } from 'rxjs';
import type { JsonStorage } from '../storage.ts';
import { type Appearance, Theme } from './theme.ts';

const key = 'appearance';
const isAppearance = (value: unknown): value is Appearance => value === 'light' || value === 'dark' || value === 'system';

/** The kernel's `Theme`: the attribute Arco's dark palette reads, on the body; `system` follows the device live. */
export class BrowserTheme extends Theme {
  private readonly subject: BehaviorSubject<Appearance>;
  readonly appearance$;
  private readonly device = matchMedia('(prefers-color-scheme: dark)');
  private readonly onDevice = () => this.apply();

  constructor(private readonly storage: JsonStorage) {
    super();
    const stored = storage.read(key);
    this.subject = new BehaviorSubject<Appearance>(isAppearance(stored) ? stored : 'light');
    this.appearance$ = this.subject.asObservable();
    this.device.addEventListener('change', this.onDevice);
    this.apply();
  }

  get appearance(): Appearance {
    return this.subject.value;
  }

  choose(appearance: Appearance): void {
    this.storage.write(key, appearance);
    this.subject.next(appearance);
    this.apply();
  }

  dispose(): void {
    this.device.removeEventListener('change', this.onDevice);
    this.subject.complete();
  }

  private apply(): void {
    const dark = this.appearance === 'dark' || (this.appearance === 'system' && this.device.matches);
    if (dark) document.body.setAttribute('arco-theme', 'dark');
    else document.body.removeAttribute('arco-theme');
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  }
}
