import { plugins } from '#deployment/console';
import type { CoreServices } from './kernel/core-services.ts';
import { openConsole } from './kernel/shell/console.tsx';

/** Opens the console with the plugins of the deployment. Plugins are loaded from this chunk, so that theirs do not repeat what the console contains. */
export const openDeployedConsole = (light: CoreServices) => openConsole(light, plugins);
