import type { Observable } from 'rxjs';
import type { ThemeId } from './themes.ts';

/** `system` follows the device. */
export type Appearance = 'light' | 'dark' | 'system';

/** How the console looks beside light and dark. */
export interface Look {
  readonly theme: ThemeId;
  /** `#rrggbb`; nothing is the theme's own colour. */
  readonly colour: string | undefined;
  readonly density: 'compact' | 'default' | 'comfortable';
  /** Of corners; nothing is the theme's own. */
  readonly radius: 'none' | 'small' | 'large' | undefined;
  readonly text: 'small' | 'default' | 'large' | 'huge';
  /** States told apart without red and green. */
  readonly isWeak: boolean;
  /** Without any colour. */
  readonly isGrey: boolean;
}

/** How the console looks, chosen by the operator and kept in this browser; applied before first paint. */
export abstract class Theme {
  abstract readonly appearance$: Observable<Appearance>;
  abstract readonly appearance: Appearance;
  abstract choose(appearance: Appearance): void;
  abstract readonly look$: Observable<Look>;
  abstract readonly look: Look;
  /** Applies and keeps what is given; resolves when it is on screen. */
  abstract change(change: Partial<Look>): Promise<void>;
  /** Back to what the deployment shows everybody, appearance included. */
  abstract reset(): void;
}
