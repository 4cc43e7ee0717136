import { plugins } from '#deployment/console';
import { openConsole } from './kernel/boot/console.tsx';
import type { CoreServices } from './kernel/boot/core-services.ts';

/** Opens the console with the plugins of the deployment. Plugins are loaded from this chunk, so that theirs do not repeat what the console contains. */
export const openDeployedConsole = (core: CoreServices) => openConsole(core, plugins);
