import { event } from '#shared/contract';
import { menu } from '#shared/menu-entry';
import { definePlugin, type Plugin, page } from '../../../../src/kernel/host/plugin/plugin.ts';
import type { PluginHost } from '../../../../src/kernel/host/plugin-host/plugin-host.ts';

export const Happened = event<{ count: number }>('test:happened');

/** Creates a plugin that has only the given parts. */
export const named = (id: string, parts: Partial<Plugin> = {}): Plugin => definePlugin({ id, title: [id, id], ...parts });

export const pageOf = (code: string) => page(menu({ code, title: [code, code], path: `/test/${code}` }), () => Promise.resolve({ default: () => null }));

/** Returns the status of every plugin with the kind of its cause. */
export const statuses = (host: PluginHost) => Object.fromEntries(host.states.map(({ id, status, cause }) => [id, cause ? `${status}: ${cause.kind}` : status]));
