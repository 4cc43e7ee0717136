import { BehaviorSubject, map } from 'rxjs';
import type { JsonStorage } from '../browser/storage.ts';
import { onPrint } from './on-print.ts';
import type { Palette } from './palette.ts';
import { type Appearance, type AppearanceSettings, Theme } from './theme.ts';
import type { ThemeId } from './themes.ts';

const appearanceKey = 'appearance';
const settingsKey = 'look';
const version = 1;
const isAppearance = (value: unknown): value is Appearance => value === 'light' || value === 'dark' || value === 'system';

/** Stored appearance settings with the shades of their colour, so that the next page has them before it paints. */
type StoredAppearance = Partial<AppearanceSettings> & { readonly palette?: Palette | undefined };

/**
 * Implements `Theme` with attributes of the body and the root element, which style sheets read, and custom properties for the shades of a custom colour. `system`
 * follows the device live.
 */
export class BrowserTheme extends Theme {
  private readonly subject: BehaviorSubject<Appearance>;
  readonly appearance$;
  private readonly stored: BehaviorSubject<StoredAppearance>;
  readonly settings$;
  private readonly device = matchMedia('(prefers-color-scheme: dark)');
  private readonly onDeviceChange = () => this.apply();
  private readonly stopPrintListener: () => void;
  private isPrinting = false;

  /** `defaultTheme` is the theme of users who have chosen none. */
  constructor(
    private readonly storage: JsonStorage,
    private readonly defaultTheme: string,
  ) {
    super();
    const stored = storage.read(appearanceKey);
    const record = storage.read<{ version: number; look: StoredAppearance }>(settingsKey);
    this.subject = new BehaviorSubject<Appearance>(isAppearance(stored) ? stored : 'light');
    this.appearance$ = this.subject.asObservable();
    this.stored = new BehaviorSubject<StoredAppearance>(record?.version === version ? record.look : {});
    this.settings$ = this.stored.pipe(map((settings) => this.withDefaults(settings)));
    this.device.addEventListener('change', this.onDeviceChange);
    this.stopPrintListener = onPrint((isPrinting) => {
      this.isPrinting = isPrinting;
      this.apply();
    });
    this.apply();
  }

  get appearance(): Appearance {
    return this.subject.value;
  }

  get settings(): AppearanceSettings {
    return this.withDefaults(this.stored.value);
  }

  select(appearance: Appearance): void {
    this.storage.write(appearanceKey, appearance);
    this.subject.next(appearance);
    this.apply();
  }

  async change(change: Partial<AppearanceSettings>): Promise<void> {
    const palette = change.colour ? (await import('./palette.ts')).paletteOf(change.colour) : undefined;
    const stored = { ...this.stored.value, ...change, ...('colour' in change ? { palette } : {}) };
    this.storage.write(settingsKey, { version, look: stored });
    this.stored.next(stored);
    this.apply();
  }

  reset(): void {
    this.storage.remove(appearanceKey);
    this.storage.remove(settingsKey);
    this.stored.next({});
    this.subject.next('light');
    this.apply();
  }

  dispose(): void {
    this.device.removeEventListener('change', this.onDeviceChange);
    this.stopPrintListener();
    this.subject.complete();
    this.stored.complete();
  }

  private withDefaults(stored: StoredAppearance): AppearanceSettings {
    return {
      theme: stored.theme ?? (this.defaultTheme as ThemeId),
      colour: stored.colour,
      density: stored.density ?? 'default',
      radius: stored.radius,
      text: stored.text ?? 'default',
      isWeak: stored.isWeak ?? false,
      isGrey: stored.isGrey ?? false,
    };
  }

  /** Does the same as pre-paint.js, on the loaded page. */
  private apply(): void {
    const { body, documentElement } = document;
    const { theme, density, radius, text, isWeak: isColourWeak, isGrey } = this.settings;
    // Printing always uses the light theme.
    const isDark = !this.isPrinting && (this.appearance === 'dark' || (this.appearance === 'system' && this.device.matches));
    const setAttribute = (element: HTMLElement, name: string, value: string | undefined) =>
      value === undefined ? element.removeAttribute(name) : element.setAttribute(name, value);
    setAttribute(body, 'arco-theme', isDark ? 'dark' : undefined);
    setAttribute(body, 'data-theme', theme);
    setAttribute(body, 'data-density', density);
    setAttribute(body, 'data-radius', radius);
    setAttribute(body, 'data-text', text);
    setAttribute(body, 'data-vision', isColourWeak ? 'weak' : undefined);
    setAttribute(documentElement, 'data-grey', isGrey ? '' : undefined);
    documentElement.style.colorScheme = isDark ? 'dark' : 'light';
    for (const name of Array.from(body.style)) if (name.startsWith('--')) body.style.removeProperty(name);
    for (const [name, value] of Object.entries(this.stored.value.palette?.[isDark ? 'dark' : 'light'] ?? {})) body.style.setProperty(name, value);
  }
}
