import type { ConsoleOptions, OptionsSchema } from '#shared/options';
import { useService } from '../../base/react/services.tsx';

/** Options the deployment has set for the current plugin; each plugin's container has its own. */
export abstract class PluginOptions {
  abstract readonly values: object;
}

/** Returns the options of the plugin a component belongs to: `usePluginOptions<typeof LampOptions>()`. */
export function usePluginOptions<Schema extends OptionsSchema>(): ConsoleOptions<Schema> {
  return useService(PluginOptions).values as ConsoleOptions<Schema>;
}
