import type { Observable } from 'rxjs';
import type { ThemeId } from './themes.ts';

/** Options of the appearance. */
export const appearances = ['light', 'dark', 'system'] as const;
/** `system` follows the device. */
export type Appearance = (typeof appearances)[number];

/** Options of the density. */
export const densities = ['compact', 'default', 'comfortable'] as const;

/** Appearance settings besides light and dark. */
export interface AppearanceSettings {
  readonly theme: ThemeId;
  /** `#rrggbb`; undefined selects the theme's own colour. */
  readonly colour: string | undefined;
  readonly density: (typeof densities)[number];
  /** Corner radius; undefined selects the theme's own. */
  readonly radius: 'none' | 'small' | 'large' | undefined;
  readonly text: 'small' | 'default' | 'large' | 'huge';
  /** True to distinguish states without red and green. */
  readonly isWeak: boolean;
  /** True to show the console in shades of grey. */
  readonly isGrey: boolean;
}

/** The appearance of the console. This browser stores what its user has selected, and applies it before the first paint. */
export abstract class Theme {
  abstract readonly appearance$: Observable<Appearance>;
  abstract readonly appearance: Appearance;
  abstract select(appearance: Appearance): void;
  abstract readonly settings$: Observable<AppearanceSettings>;
  abstract readonly settings: AppearanceSettings;
  /** Applies and saves the change; resolves when it is on screen. */
  abstract change(change: Partial<AppearanceSettings>): Promise<void>;
  /** Restores the deployment's defaults, light or dark included. */
  abstract reset(): void;
}
