import type { ConsoleSettings } from './console-settings.ts';
import type { Manifest } from './manifest.ts';

/** Id of the page element that carries the settings as JSON. */
export const settingsElement = 'marquee-settings';

/** Merges the manifest of the build with the settings of the running deployment. Remote plugins are added, or replace one with the same id. */
export function effectiveManifest(manifest: Manifest, settings: ConsoleSettings = {}): Manifest {
  const { brand, modes, remotes, ...rest } = settings;
  const keptRemotes = (manifest.remotes ?? []).filter(({ id }) => !remotes?.some((one) => one.id === id));
  const all = [...keptRemotes, ...(remotes ?? [])];
  return {
    ...manifest,
    ...rest,
    ...(brand ? { brand: { ...manifest.brand, ...brand } } : {}),
    ...(modes ? { modes: { ...manifest.modes, ...modes } } : {}),
    ...(all.length > 0 ? { remotes: all } : {}),
  };
}
