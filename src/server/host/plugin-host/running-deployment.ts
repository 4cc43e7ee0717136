import { kernelParameters } from '#shared/kernel-parameters';
import { strayErrorCounts } from '../../platform/audit/stray-errors.ts';
import { codesWith, declaredMenus } from '../../platform/permission/declared-menus.ts';
import type { Deployment, PluginFacts, ServerPlugin } from './plugin.ts';
import type { ServerHostDeps } from './plugin-host-deps.ts';

/** Signal that lets every replica start a crash-looping plugin again. */
export const retriedTopic = 'plugin-retried';

/** Describes the running deployment to its plugins. */
export const runningDeployment = (
  { db, consoleClient, samples, filesBucket }: Pick<ServerHostDeps, 'db' | 'consoleClient' | 'samples' | 'filesBucket'>,
  host: { readonly running: readonly ServerPlugin[]; facts(): readonly PluginFacts[] },
): Deployment => ({
  consoleClient,
  hasSamples: samples,
  filesBucket,
  plugins: () => host.facts(),
  retry: (id) => db.signal(retriedTopic, id),
  strayErrors: () => strayErrorCounts(db),
  parameters: () => [...kernelParameters, ...host.running.flatMap((one) => one.parameters ?? [])],
  platformOnlyCodes: () => codesWith('isPlatformOnly', declaredMenus(host.running)),
});
