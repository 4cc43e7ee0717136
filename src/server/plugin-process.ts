import { modules } from '#deployment/modules';
import { servePlugin as serveContainedPlugin } from './host/contained/process/serve-plugin.ts';

/** Runs the contained plugin that the server asks this process for, which it has started. The process loads this module alone, not the server. */
export const servePlugin = (): Promise<void> => serveContainedPlugin(modules);
