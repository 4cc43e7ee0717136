import type { ConsoleOptions, OptionsSchema } from '#shared/options';
import { useService } from './services.tsx';

/** What the deployment has settled about the plugin that asks; each plugin's own container has one. */
export abstract class PluginOptions {
  abstract readonly values: object;
}

/** The options of the plugin a component belongs to: `usePluginOptions<typeof LampOptions>()`. */
export function usePluginOptions<Schema extends OptionsSchema>(): ConsoleOptions<Schema> {
  return useService(PluginOptions).values as ConsoleOptions<Schema>;
}
