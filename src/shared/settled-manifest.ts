import type { ConsoleSettings } from './console-settings.ts';
import type { Manifest } from './manifest.ts';

/** The element of the page that carries the settings, as JSON. */
export const settingsElement = 'marquee-settings';

/** The manifest of the build with what is said of it where it runs. Remote plugins are added to its own, or take the place of one with their name. */
export function settledManifest(manifest: Manifest, settings: ConsoleSettings = {}): Manifest {
  const { brand, modes, remotes, ...rest } = settings;
  const kept = (manifest.remotes ?? []).filter(({ id }) => !remotes?.some((one) => one.id === id));
  const all = [...kept, ...(remotes ?? [])];
  return {
    ...manifest,
    ...rest,
    ...(brand ? { brand: { ...manifest.brand, ...brand } } : {}),
    ...(modes ? { modes: { ...manifest.modes, ...modes } } : {}),
    ...(all.length > 0 ? { remotes: all } : {}),
  };
}
