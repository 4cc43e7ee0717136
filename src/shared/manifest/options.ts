import type { Static, TObject, TProperties, TSchema } from 'typebox';
import * as Type from 'typebox';

/** Schema of the options that a deployment can set for a plugin in its manifest. An option with a default can be omitted. */
export interface OptionsSchema<Everywhere extends TProperties = TProperties, OnServer extends TProperties = TProperties> extends TSchema {
  /** Names of the options that are never sent to a browser. */
  readonly onServer: readonly string[];
  /** Carries the types of the options per half; never set. */
  readonly halves?: { readonly everywhere: Everywhere; readonly onServer: OnServer };
}

type None = Record<never, never>;

/**
 * Declares the options of a plugin, as the default export of its `options.ts`. Both halves read those of `everywhere`; those of `onServer` never leave the server.
 */
export function options<Everywhere extends TProperties = None, OnServer extends TProperties = None>(declared: {
  readonly everywhere?: Everywhere;
  readonly onServer?: OnServer;
}): OptionsSchema<Everywhere, OnServer> {
  const { everywhere = {}, onServer = {} } = declared;
  const shape = Type.Object({ ...everywhere, ...onServer }, { additionalProperties: false, onServer: Object.keys(onServer) });
  return { ...shape, onServer: Object.keys(onServer) };
}

/** Options of a plugin as its server half reads them. */
export type ServerOptions<Schema> = Schema extends OptionsSchema<infer Everywhere, infer OnServer> ? Readonly<Static<TObject<Everywhere & OnServer>>> : object;

/** Options of a plugin as its console half reads them. */
export type ConsoleOptions<Schema> = Schema extends OptionsSchema<infer Everywhere, TProperties> ? Readonly<Static<TObject<Everywhere>>> : object;
