import type { Observable } from 'rxjs';

/** `system` follows the device. */
export type Appearance = 'light' | 'dark' | 'system';

/** How the console looks, chosen by the operator and kept in this browser; applied before first paint. */
export abstract class Theme {
  abstract readonly appearance$: Observable<Appearance>;
  abstract readonly appearance: Appearance;
  abstract choose(appearance: Appearance): void;
}
